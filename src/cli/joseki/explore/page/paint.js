// What is seen of the state of the page.

import { drawBoard } from './board.js';
import { parseSfen, parseTe } from './kyokumen.js';
import { drawLine, drawMainLine, drawMoves } from './moves.js';
import { bytes, languageNow, number, teName, word } from './words.js';

// So many moves of the book are drawn on the board.
const ARROWS = 4;
// What is drawn where there is no position: an empty board, and nobody to move.
const EMPTY = '9/9/9/9/9/9/9/9/9 - - 1';

export const at = (id) => document.getElementById(id);

// The legal moves in parts.
export function legalTe(position) {
  return position ? position.legal.map((usi) => ({ usi, ...parseTe(usi) })) : [];
}

// Everything that a new position or another language changes. `actions` has what the lists of moves do: play, keep.
export function draw(state, actions) {
  const { position, moves } = state;
  const { activeElement } = document;
  const held = at('right').contains(activeElement);
  drawTrouble(state);
  drawTexts(state);
  at('position').hidden = at('line').hidden = !position;
  if (position) {
    drawLine(at('line'), position, actions.keep);
    drawMoves(at('moves'), moves, actions.play);
    drawMainLine(at('main-line'), position.main, actions.play);
    at('line').scrollTop = at('line').scrollHeight;
  }
  at('moves').hidden = moves.length === 0;
  at('nothing').hidden = moves.length > 0;
  drawChosen(state);
  if (held && !document.contains(activeElement)) {
    // The button that was pressed is gone; whoever goes on by the keyboard is not sent to the top of the page.
    const way = at('nothing-back').disabled ? at('nothing-start') : at('nothing-back');
    (at('moves').querySelector('.play') ?? way).focus({ preventScroll: true });
  }
}

export function drawTrouble({ trouble, position }) {
  at('trouble').hidden = !trouble;
  if (trouble) {
    at('trouble-text').textContent = word(trouble.text, trouble);
    at('trouble-cause').textContent = trouble.cause;
    at('trouble-start').hidden = position !== null;
  }
}

function drawTexts({ position, moves, book }) {
  if (!position) {
    document.title = book?.name ?? 'Komadai';
    at('board').setAttribute('aria-label', word('boardLabel', { turn: '', last: '' }));
    at('jump-to').value = '';
    return;
  }
  const [, side, , ply] = position.sfen.split(' ');
  const mated = position.legal.length === 0 && position.kings;
  const turn = word(mated ? 'mated' : 'turn', { side: word(side === 'b' ? 'sente' : 'gote') });
  const known = moves.length === 1 ? word('candidate') : word('candidates', { n: moves.length });
  const total = moves.reduce((sum, te) => sum + (te.legal ? te.count ?? 0 : 0), 0);
  const facts = [
    word('ply', { n: ply }),
    moves.length > 0 && known,
    total > 0 && word('games', { n: number(total) }),
    position.check && !mated && word('inCheck'),
  ];
  at('turn').textContent = turn;
  at('turn').dataset.side = side;
  at('facts').textContent = facts.filter(Boolean).join(' · ');
  at('comment').textContent = position.comment ?? '';
  at('comment').hidden = !position.comment;
  at('nothing-text').textContent = word('nothing');
  at('nothing-why').textContent = word(mated ? 'mateWhy' : position.kings ? 'nothingWhy' : 'kingsWhy');
  at('jump-to').value = position.sfen;
  const last = position.line.at(-1);
  const lastMove = last ? word('lastMove', { te: teName(last) }) : '';
  document.title = [last && teName(last), book?.name].filter(Boolean).join(' – ') || 'Komadai';
  at('board').setAttribute('aria-label', word('boardLabel', { turn, last: lastMove }));
  at('spoken').textContent = `${lastMove} ${turn}. ${moves.length > 0 ? known : word('nothing')}`;
}

export function rowOf(te) {
  return [...at('moves').querySelectorAll('.known')].find((row) => row.dataset.usi === te.usi);
}

// The board, and all that depends on which move is chosen.
export function drawChosen({ position, moves, chosen, picked, flipped, letters }) {
  const targets = legalTe(position).filter((te) => picked !== null && (te.drop ?? te.from) === picked);
  const arrows = moves.map((te, index) => ({ ...te, chosen: index === chosen }));
  drawBoard(at('board'), {
    kyokumen: parseSfen(position?.sfen ?? EMPTY),
    flipped,
    letters,
    last: position?.line.at(-1)?.usi ?? null,
    check: position?.check ?? false,
    arrows: arrows.filter((te, index) => picked === null && te.legal && (index < ARROWS || te.chosen)),
    picked,
    targets: new Set(targets.map((te) => te.to)),
  });
  for (const row of at('moves').querySelectorAll('.known')) {
    row.classList.toggle('chosen', row.dataset.usi === moves[chosen]?.usi && moves[chosen].legal);
  }
  const atStart = !position || position.line.length === 0;
  at('back').disabled = at('nothing-back').disabled = atStart;
  at('to-start').disabled = atStart && position !== null && position.start === null;
  at('forward').disabled = !moves[chosen]?.legal;
  at('flip').setAttribute('aria-pressed', String(flipped));
}

// What depends on nothing but the language and the book.
export function drawWords({ book, letters }) {
  for (const element of document.querySelectorAll('[data-word]')) {
    element.textContent = word(element.dataset.word);
  }
  const labels = { 'to-start': 'startLabel', back: 'backLabel', forward: 'forwardLabel', flip: 'flipLabel' };
  const [now, other] = letters ? [word('letters'), word('kanji')] : [word('kanji'), word('letters')];
  const faces = word('facesLabel', { now, other });
  for (const [id, label] of [...Object.entries(labels).map(([id, key]) => [id, word(key)]), ['faces', faces]]) {
    at(id).title = label;
    at(id).setAttribute('aria-label', label);
  }
  at('faces').textContent = other;
  at('tools').setAttribute('aria-label', word('tools'));
  at('line').setAttribute('aria-label', word('line'));
  at('language').textContent = word('otherLanguage');
  at('language').lang = languageNow() === 'ja' ? 'en' : 'ja';
  at('language').setAttribute('aria-label', word('otherLanguageLabel'));
  at('keys').textContent = word('keys');
  if (book) {
    const format = book.format.includes('.') ? book.format : '.' + book.format;
    at('book-name').textContent = book.name;
    at('book-facts').textContent = `${format} · ${bytes(book.bytes)}`;
    at('provenance').textContent = book.provenance ?? '';
    at('program').textContent = book.program;
  }
}
