// The board and both hands as SVG.

import { HAND_ORDER, face, parseTe, square } from './kyokumen.js';
import { languageNow, word } from './words.js';

const CELL = { width: 60, height: 65 };
const MARGIN = 26;
const HAND = 62;
const GAP = 6;
const WIDTH = 9 * CELL.width + 2 * MARGIN;
const TOP = HAND + GAP + MARGIN;
const HEIGHT = TOP + 9 * CELL.height + 14 + HAND;

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Draws a position. `shown` has: kyokumen, flipped, letters, last (a move in USI or null), check, arrows (moves with
// share and whether they are chosen), picked (a square or a kind in hand), targets (squares).
export function drawBoard(svg, shown) {
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  const top = shown.flipped ? 'b' : 'w';
  svg.replaceChildren(
    definitions(),
    ground(),
    marks(shown),
    grid(),
    coordinates(shown.flipped),
    pieces(shown),
    hand(shown, top, 0),
    hand(shown, top === 'b' ? 'w' : 'b', HEIGHT - HAND),
    arrows(shown),
    squares(shown),
  );
}

// The upper left corner of a square.
function corner(name, flipped) {
  const suji = Number(name[0]);
  const dan = name.charCodeAt(1) - 96;
  const [column, row] = flipped ? [suji - 1, 9 - dan] : [9 - suji, dan - 1];
  return [MARGIN + column * CELL.width, TOP + row * CELL.height];
}

function centre(name, flipped) {
  const [x, y] = corner(name, flipped);
  return [x + CELL.width / 2, y + CELL.height / 2];
}

function cell(name, flipped, kind) {
  const [x, y] = corner(name, flipped);
  return element('rect', { x, y, ...CELL, class: kind });
}

function definitions() {
  const head = (id) => element(
    'marker',
    { id, viewBox: '0 0 10 10', refX: 6, refY: 5, markerWidth: 3, markerHeight: 3, orient: 'auto' },
    element('path', { d: 'M0 0L10 5L0 10z', class: id }),
  );
  return element('defs', {}, head('head'), head('head-chosen'));
}

function ground() {
  const [width, height] = [9 * CELL.width + 2 * MARGIN, 9 * CELL.height + MARGIN + 12];
  return element('rect', { x: 0, y: TOP - MARGIN, width, height, rx: 8, class: 'ground' });
}

function grid() {
  const [width, height] = [9 * CELL.width, 9 * CELL.height];
  let path = '';
  for (let line = 1; line < 9; line += 1) {
    path += `M${MARGIN + line * CELL.width} ${TOP}v${height}M${MARGIN} ${TOP + line * CELL.height}h${width}`;
  }
  const group = element('g', { class: 'grid' }, element('path', { d: path }));
  group.append(element('rect', { x: MARGIN, y: TOP, width, height, class: 'frame' }));
  for (const column of [3, 6]) {
    for (const row of [3, 6]) {
      const [cx, cy] = [MARGIN + column * CELL.width, TOP + row * CELL.height];
      group.append(element('circle', { cx, cy, r: 3.5 }));
    }
  }
  return group;
}

function coordinates(flipped) {
  const group = element('g', { class: 'coordinates' });
  for (let place = 1; place <= 9; place += 1) {
    const [suji, dan] = flipped ? [place, 10 - place] : [10 - place, place];
    const x = MARGIN + (place - 0.5) * CELL.width;
    const y = TOP + (place - 0.5) * CELL.height;
    const rank = languageNow() === 'ja' ? '一二三四五六七八九'[dan - 1] : 'abcdefghi'[dan - 1];
    group.append(
      element('text', { x, y: TOP - MARGIN / 2 }, String(suji)),
      element('text', { x: WIDTH - MARGIN / 2, y }, rank),
    );
  }
  return group;
}

// The last move, a king in check, what was picked up.
function marks({ kyokumen, flipped, last, check, picked }) {
  const group = element('g');
  if (last) {
    const { from, to } = parseTe(last);
    group.append(...(from ? [cell(from, flipped, 'last-from')] : []), cell(to, flipped, 'last-to'));
  }
  if (check) {
    const king = [...kyokumen.board].find(([, koma]) => koma.kind === 'K' && koma.side === kyokumen.turn);
    group.append(...(king ? [cell(king[0], flipped, 'in-check')] : []));
  }
  if (picked && picked.length === 2) {
    group.append(cell(picked, flipped, 'picked'));
  }
  return group;
}

function pieces({ kyokumen, flipped, letters }) {
  const group = element('g');
  for (const [name, koma] of kyokumen.board) {
    group.append(piece(koma, ...centre(name, flipped), 1, flipped, letters));
  }
  return group;
}

function piece(koma, x, y, scale, flipped, letters) {
  const turned = (koma.side === 'w') !== flipped;
  const size = { K: 1.06, R: 1.03, B: 1.03, L: 0.94, N: 0.94, P: 0.89 }[koma.kind] ?? 1;
  const turn = turned ? ' rotate(180)' : '';
  const transform = `translate(${x} ${y})${turn} scale(${(scale * size).toFixed(3)})`;
  const kind = 'koma' + (koma.promoted ? ' promoted' : '') + (letters ? ' letters' : '');
  return element(
    'g',
    { transform, class: kind },
    element('path', { d: 'M0 -27.5L16 -21L22.5 27H-22.5L-16 -21z' }),
    element('text', { x: 0, y: 4.5 }, face(koma, letters)),
  );
}

function hand({ kyokumen, flipped, letters, picked }, side, y) {
  const turn = kyokumen.turn === side;
  const group = element('g', { class: turn ? 'hand turn' : 'hand' });
  group.append(element('rect', { x: 0, y, width: WIDTH, height: HAND, rx: 8, class: 'stand' }));
  const middle = y + HAND / 2;
  const mark = 'M0 -11L7 -8L9.5 11H-9.5L-7 -8z';
  group.append(element('path', { d: mark, transform: `translate(24 ${middle})`, class: 'mark ' + side }));
  group.append(element('text', { x: 44, y: turn ? middle - 8 : middle, class: 'name' }, word(side === 'b' ? 'sente' : 'gote')));
  if (turn) {
    group.append(element('text', { x: 44, y: middle + 12, class: 'to-move' }, word('toMove')));
  }
  const held = HAND_ORDER.filter((kind) => kyokumen.hands[side].has(kind));
  if (held.length === 0) {
    group.append(element('text', { x: 118, y: middle, class: 'none' }, word('none')));
  }
  held.forEach((kind, index) => {
    const x = 136 + index * 66;
    const count = kyokumen.hands[side].get(kind);
    if (turn && picked === kind) {
      group.append(element('rect', { x: x - 26, y: y + 3, width: 62, height: HAND - 6, rx: 6, class: 'picked' }));
    }
    group.append(piece({ kind, promoted: false, side }, x, middle, 0.88, flipped, letters));
    if (count > 1) {
      group.append(element('text', { x: x + 22, y: middle + 8, class: 'count' }, String(count)));
    }
    if (turn) {
      const place = { x: x - 26, y, width: 62, height: HAND, class: 'square', 'data-hand': kind };
      group.append(element('rect', place));
    }
  });
  return group;
}

// What the moves of the book do. The broader an arrow, the more often its move was played.
function arrows({ kyokumen, flipped, letters, arrows: moves }) {
  const group = element('g', { class: 'arrows' });
  for (const { usi, share, chosen } of [...moves].sort((a, b) => a.chosen - b.chosen)) {
    const { drop, from, to } = parseTe(usi);
    const [x, y] = centre(to, flipped);
    const kind = chosen ? 'arrow chosen' : 'arrow';
    if (drop) {
      const ghost = piece({ kind: drop, promoted: false, side: kyokumen.turn }, x, y, 1, flipped, letters);
      ghost.classList.add('ghost');
      group.append(...(chosen ? [ghost] : []), element('circle', { cx: x, cy: y, r: 29, class: kind + ' ring' }));
      continue;
    }
    const [fromX, fromY] = centre(from, flipped);
    const length = Math.hypot(x - fromX, y - fromY);
    const short = (part) => (part * (length - 10)) / length;
    const d = `M${fromX} ${fromY}L${fromX + short(x - fromX)} ${fromY + short(y - fromY)}`;
    const width = chosen ? 8 : 3 + (share ?? 0) / 16;
    const end = chosen ? 'url(#head-chosen)' : 'url(#head)';
    group.append(element('path', { d, class: kind, 'stroke-width': width.toFixed(1), 'marker-end': end }));
  }
  return group;
}

// What can be clicked, above all else.
function squares({ kyokumen, flipped, targets }) {
  const group = element('g');
  for (const target of targets) {
    const [cx, cy] = centre(target, flipped);
    const taken = kyokumen.board.has(target);
    group.append(element('circle', { cx, cy, r: taken ? 27 : 9, class: taken ? 'target taken' : 'target' }));
  }
  for (let suji = 1; suji <= 9; suji += 1) {
    for (let dan = 1; dan <= 9; dan += 1) {
      const name = square(suji, dan);
      const place = cell(name, flipped, 'square');
      place.setAttribute('data-square', name);
      const mine = kyokumen.board.get(name)?.side === kyokumen.turn;
      place.classList.toggle('useful', mine || targets.has(name));
      group.append(place);
    }
  }
  return group;
}
