// The lists of moves: what the book knows, the way here, the way on.

import { element } from './board.js';
import { number, percent, signed, teName, word } from './words.js';

export function html(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Most played first, of equals those of more value; what is illegal last.
export function inOrder(moves) {
  const rank = (te) => [te.legal ? 1 : 0, te.count || 0, te.value ?? -Infinity];
  const compare = (a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const place = left.findIndex((figure, index) => figure !== right[index]);
    return place < 0 ? 0 : right[place] > left[place] ? 1 : -1;
  };
  return [...moves].sort(compare);
}

// The columns: a word for the head, whether there is anything to show, the cell of a move.
const COLUMNS = [
  { key: 'move', has: () => true, cell: nameCell },
  { key: 'count', has: (te) => te.count !== null, cell: countCell },
  { key: 'winRate', has: (te) => te.win_rate !== null, cell: winCell },
  { key: 'value', has: (te) => te.value !== null, cell: valueCell },
  { key: 'rating', has: (te) => te.rating !== null, cell: ratingCell },
  { key: 'next', has: () => true, cell: nextCell },
];

// Fills the table of the moves that the book knows. `play` is called with a move.
export function drawMoves(table, moves, play) {
  const columns = COLUMNS.filter((column) => moves.some(column.has));
  const title = (key) => (['winRate', 'value', 'rating', 'next'].includes(key) ? word(key + 'Title') : '');
  const head = columns.map(({ key }) => html('th', { scope: 'col', className: key, title: title(key) }, word(key)));
  table.tHead.replaceChildren(html('tr', {}, ...head));
  table.tBodies[0].replaceChildren(...moves.flatMap((te) => rows(te, columns, play)));
}

function rows(te, columns, play) {
  const row = html('tr', { className: te.legal ? 'known' : 'known illegal' });
  row.dataset.usi = te.usi;
  row.append(...columns.map(({ key, cell }) => html('td', { className: key }, ...cell(te))));
  if (te.legal) {
    row.addEventListener('click', () => play(te.usi));
  }
  if (!te.comment) {
    return [row];
  }
  const remark = html('td', { colSpan: columns.length, className: 'comment' }, te.comment);
  return [row, html('tr', { className: 'remark' }, remark)];
}

function nameCell(te) {
  const name = html('span', { className: 'te', textContent: teName(te) });
  const badges = [];
  if (!te.legal) {
    badges.push(html('span', { className: 'badge illegal', title: word('illegalTitle') }, word('illegal')));
  }
  if (te.annotation) {
    badges.push(html('span', { className: 'badge ' + te.annotation }, word(te.annotation)));
  }
  const reply = te.ponder ? ' · ' + word('reply', { te: te.ponder }) : '';
  const usi = html('small', {}, te.usi + reply);
  if (!te.legal) {
    return [name, ...badges, usi];
  }
  // The row is what is clicked; the button is for the keyboard and for readers of the screen.
  const button = html('button', { type: 'button', className: 'play' }, name);
  return [button, ...badges, usi];
}

function countCell(te) {
  if (te.count === null) {
    return ['–'];
  }
  const share = te.share === null ? '' : percent(te.share);
  const bar = strip(element('rect', { class: 'part', width: te.share ?? 0, height: 6 }));
  return [figures(number(te.count), share), bar];
}

function winCell(te) {
  if (te.win_rate === null) {
    return ['–'];
  }
  const [rate, low, high] = [te.win_rate, te.win_low, te.win_high];
  const bar = strip(
    element('rect', { class: 'part win', width: rate, height: 6 }),
    element('path', { class: 'half', d: 'M50 -1V7' }),
    element('rect', { class: 'interval', x: low, y: 2, width: Math.max(high - low, 0.8), height: 2 }),
    element('path', { class: 'bound', d: `M${low} 0V6M${high} 0V6` }),
  );
  const text = figures(percent(rate), `${low.toFixed(1)}–${high.toFixed(1)}`);
  text.title = word('interval', { low: percent(low), high: percent(high) });
  return [text, bar];
}

function valueCell(te) {
  if (te.value === null) {
    return ['–'];
  }
  return [two(signed(te.value), te.depth === null ? '' : word('depth', { n: te.depth }))];
}

function ratingCell(te) {
  if (te.rating === null) {
    return ['–'];
  }
  const against = te.opponent_rating === null ? '' : word('against', { n: te.opponent_rating });
  return [two(String(te.rating), against)];
}

function nextCell(te) {
  if (!te.legal) {
    return [''];
  }
  return [te.leads_to > 0 ? `${te.leads_to} ›` : html('span', { className: 'end' }, word('endOfBook'))];
}

// A figure and a lesser one beside it.
function figures(first, second) {
  return html('div', { className: 'figures' }, html('b', {}, first), html('small', {}, second));
}

// A figure and a lesser one under it.
function two(first, second) {
  return html('div', { className: 'two' }, html('b', {}, first), html('small', {}, second));
}

function strip(...parts) {
  const shape = { viewBox: '0 -1 100 8', preserveAspectRatio: 'none', class: 'strip', 'aria-hidden': 'true' };
  return element('svg', shape, element('rect', { class: 'track', width: 100, height: 6 }), ...parts);
}

// The way here. `go` is called with the number of moves to keep.
export function drawLine(nav, position, go) {
  const name = position.start ? word('otherStart') : word('startOfLine');
  const steps = [{ text: name, keep: 0 }];
  position.line.forEach((te, index) => steps.push({ text: teName(te), keep: index + 1 }));
  const items = steps.map(({ text, keep }) => {
    const button = html('button', { type: 'button', className: 'step' }, text);
    if (keep === position.line.length) {
      button.setAttribute('aria-current', 'step');
    }
    button.addEventListener('click', () => go(keep));
    return html('li', {}, button);
  });
  nav.replaceChildren(html('ol', {}, ...items));
}

// The way on. `play` is called with all moves to be played.
export function drawMainLine(section, line, play) {
  section.hidden = line.length < 2;
  const items = line.map((te, index) => {
    const button = html('button', { type: 'button', className: 'step' }, teName(te));
    button.addEventListener('click', () => play(...line.slice(0, index + 1).map((one) => one.usi)));
    return html('li', {}, button);
  });
  section.querySelector('ol').replaceChildren(...items);
}
