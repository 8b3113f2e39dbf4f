// Where one is in the book. The address holds it, so that the browser's back, reload and bookmarks work.

// A start, null for the even one, and the moves from there.
export function placeOfAddress() {
  const query = new URLSearchParams(location.search);
  const moves = (query.get('moves') ?? '').split(/\s+/).filter((usi) => usi !== '');
  return { start: query.get('sfen') || null, moves };
}

export function isFlipped() {
  return new URLSearchParams(location.search).get('flip') === '1';
}

// Some characters are left as they are, so that people can read the address.
function encode(text) {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+').replaceAll('%2A', '*');
}

function query({ start, moves }) {
  const parts = [];
  if (start) {
    parts.push('sfen=' + encode(start));
  }
  if (moves.length > 0) {
    parts.push('moves=' + encode(moves.join(' ')));
  }
  return parts;
}

export function addressOf(place, flipped) {
  const parts = query(place);
  if (flipped) {
    parts.push('flip=1');
  }
  return '/' + (parts.length > 0 ? '?' + parts.join('&') : '');
}

// What the server says of a place. An error is thrown with the server's words, or as `unreachable`.
export async function fetchPosition(place) {
  return fetchJson('/api/position?' + query(place).join('&'));
}

export async function fetchBook() {
  return fetchJson('/api/book');
}

async function fetchJson(path) {
  let response;
  let json;
  try {
    response = await fetch(path);
    json = await response.json();
  } catch {
    throw Object.assign(new Error(''), { unreachable: true });
  }
  if (!response.ok) {
    throw new Error(json.error);
  }
  return json;
}

// What a reader of the page chose; where nothing can be stored, it lasts until the page is left.
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then not.
  }
}
