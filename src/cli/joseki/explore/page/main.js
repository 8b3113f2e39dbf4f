// The page: what keys, clicks and the address do. What is seen of it, `paint.js` draws.

import { looksLikeTe } from './kyokumen.js';
import { inOrder } from './moves.js';
import { at, draw, drawChosen, drawTrouble, drawWords, legalTe, rowOf } from './paint.js';
import { addressOf, fetchBook, fetchPosition, isFlipped, placeOfAddress, remember, remembered } from './place.js';
import { languageNow, languageOfBrowser, setLanguage } from './words.js';

const START = { start: null, moves: [] };

const state = {
  book: null,
  // What the server says of the position shown; null where there is none.
  position: null,
  // What is wrong: a key of the words, and the server's words.
  trouble: null,
  // The moves of the book in the order shown, and which of them is chosen.
  moves: [],
  chosen: 0,
  // The square, or the kind in hand, that was clicked first.
  picked: null,
  flipped: isFlipped(),
  letters: remembered('letters') === 'yes',
};

// Of several requests on their way the last one counts.
let latest = 0;

function placeNow() {
  const { position } = state;
  return position ? { start: position.start, moves: position.line.map((te) => te.usi) } : START;
}

// ---- Walking

// Goes to a place, and says whether it could. A new place gets its address into the browser's history.
async function go(place, isNew = true) {
  latest += 1;
  const mine = latest;
  const [answer, failure] = await fetchPosition(place).then((found) => [found, null], (error) => [null, error]);
  if (mine !== latest) {
    return false;
  }
  if (failure) {
    state.trouble = { text: failure.unreachable ? 'unreachable' : 'badPosition', cause: failure.message };
    if (!isNew && !failure.unreachable) {
      show(null);
    }
    drawTrouble(state);
    return false;
  }
  state.trouble = null;
  show(answer);
  history[isNew ? 'pushState' : 'replaceState'](null, '', addressOf(placeNow(), state.flipped));
  return true;
}

function show(position) {
  Object.assign(state, { position, moves: inOrder(position?.moves ?? []), chosen: 0, picked: null });
  drawAll();
}

function drawAll() {
  draw(state, { play, keep });
}

// Plays moves, one or several.
function play(...more) {
  const { start, moves } = placeNow();
  return go({ start, moves: [...moves, ...more] });
}

// Takes all moves back but so many.
function keep(number) {
  const { start, moves } = placeNow();
  go({ start, moves: moves.slice(0, number) });
}

function back() {
  const played = state.position?.line.length ?? 0;
  if (played > 0) {
    keep(played - 1);
  }
}

// To where the line began; from there to the even start.
function toStart() {
  if (state.position?.line.length > 0) {
    keep(0);
  } else {
    go(START);
  }
}

function forward() {
  const te = state.moves[state.chosen];
  if (te?.legal) {
    play(te.usi);
  }
}

function choose(index) {
  const legal = state.moves.filter((te) => te.legal).length;
  if (legal > 0) {
    state.chosen = Math.max(0, Math.min(legal - 1, index));
    drawChosen(state);
    rowOf(state.moves[state.chosen]).scrollIntoView({ block: 'nearest' });
  }
}

function flip() {
  state.flipped = !state.flipped;
  history.replaceState(null, '', addressOf(placeNow(), state.flipped));
  drawChosen(state);
}

async function jump(event) {
  event.preventDefault();
  const text = at('jump-to').value.trim();
  const { position } = state;
  const isTe = position !== null && looksLikeTe(text);
  if (isTe && !position.legal.includes(text)) {
    state.trouble = { text: 'badMove', te: text, cause: '' };
    drawTrouble(state);
  } else if (await (isTe ? play(text) : go({ start: text || null, moves: [] }))) {
    // From now on the arrow keys walk again.
    at('jump-to').blur();
  }
}

// ---- The board

async function askPromotion() {
  const dialog = at('promotion');
  dialog.returnValue = 'none';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue;
}

// A square of the board, or a kind in the hand of the side to move, was clicked; null is none of these.
async function click(place) {
  const { picked } = state;
  const legal = legalTe(state.position);
  const ways = legal.filter((te) => picked !== null && (te.drop ?? te.from) === picked && te.to === place);
  if (ways.length === 0) {
    const movable = legal.some((te) => (te.drop ?? te.from) === place);
    state.picked = place !== picked && movable ? place : null;
    drawChosen(state);
    return;
  }
  const answer = ways.length > 1 ? await askPromotion() : null;
  const way = answer === null ? ways[0] : ways.find((te) => answer === (te.promotes ? 'yes' : 'no'));
  state.picked = null;
  drawChosen(state);
  if (way) {
    play(way.usi);
  }
}

// ---- Keys and switches

const KEYS = {
  ArrowLeft: back,
  ArrowRight: forward,
  ArrowUp: () => choose(state.chosen - 1),
  ArrowDown: () => choose(state.chosen + 1),
  Home: toStart,
  f: flip,
  F: flip,
  '/': () => at('jump-to').focus(),
};

function press(event) {
  const writing = event.target.closest('input, dialog');
  if (event.key === 'Escape') {
    at('jump-to').blur();
    state.picked = null;
    drawChosen(state);
  }
  if (!writing && !event.ctrlKey && !event.altKey && !event.metaKey && Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

function switchLanguage() {
  setLanguage(languageNow() === 'ja' ? 'en' : 'ja');
  remember('language', languageNow());
  drawWords(state);
  drawAll();
}

function switchFaces() {
  state.letters = !state.letters;
  remember('letters', state.letters ? 'yes' : 'no');
  drawWords(state);
  drawChosen(state);
}

// The move under the pointer, or with the focus, is the chosen one.
function hover(event) {
  const row = event.target.closest('.known:not(.illegal)');
  const index = state.moves.findIndex((te) => te.usi === row?.dataset.usi);
  if (index >= 0 && index !== state.chosen) {
    state.chosen = index;
    drawChosen(state);
  }
}

function listen() {
  const buttons = {
    back, forward, flip, 'to-start': toStart, language: switchLanguage, faces: switchFaces,
    'nothing-back': back, 'nothing-start': () => go(START), 'trouble-start': () => go(START),
  };
  for (const [id, action] of Object.entries(buttons)) {
    at(id).addEventListener('click', () => action());
  }
  at('jump').addEventListener('submit', jump);
  at('jump-to').addEventListener('focus', () => at('jump-to').select());
  at('board').addEventListener('click', ({ target }) => click(target.dataset.square ?? target.dataset.hand ?? null));
  at('moves').addEventListener('pointermove', hover);
  at('moves').addEventListener('focusin', hover);
  document.addEventListener('keydown', press);
  window.addEventListener('popstate', () => {
    state.flipped = isFlipped();
    go(placeOfAddress(), false);
  });
}

async function begin() {
  setLanguage(remembered('language') ?? languageOfBrowser());
  drawWords(state);
  listen();
  const here = go(placeOfAddress(), false);
  state.book = await fetchBook().catch(() => null);
  drawWords(state);
  await here;
  drawAll();
}

begin();
