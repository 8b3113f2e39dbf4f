// Positions as they are drawn. What is legal, the server says.

export const SIDES = ['b', 'w'];
// The kinds as they lie in a hand.
export const HAND_ORDER = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];

const KANJI = {
  P: '歩', L: '香', N: '桂', S: '銀', G: '金', B: '角', R: '飛', K: '玉',
  '+P': 'と', '+L': '杏', '+N': '圭', '+S': '全', '+B': '馬', '+R': '龍',
};

// What stands on a piece. The king of Gote is 王 by custom.
export function face(koma, letters) {
  const name = (koma.promoted ? '+' : '') + koma.kind;
  if (letters) {
    return name;
  }
  return name === 'K' && koma.side === 'w' ? '王' : KANJI[name];
}

export function square(suji, dan) {
  return suji + 'abcdefghi'[dan - 1];
}

// Reads a SFEN that the server has written: pieces by squares such as 7g, and both hands.
export function parseSfen(sfen) {
  const [ranks, turn, inHand] = sfen.split(' ');
  const board = new Map();
  ranks.split('/').forEach((rank, index) => {
    let suji = 9;
    for (const [, promotion, letter] of rank.matchAll(/(\+?)([a-zA-Z1-9])/g)) {
      if (letter <= '9') {
        suji -= Number(letter);
        continue;
      }
      board.set(square(suji, index + 1), piece(letter, promotion !== ''));
      suji -= 1;
    }
  });
  const hands = { b: new Map(), w: new Map() };
  for (const [, count, letter] of inHand.matchAll(/(\d*)([a-zA-Z])/g)) {
    const { kind, side } = piece(letter, false);
    hands[side].set(kind, Number(count || 1));
  }
  return { board, hands, turn };
}

function piece(letter, promoted) {
  const kind = letter.toUpperCase();
  return { kind, promoted, side: kind === letter ? 'b' : 'w' };
}

// The parts of a move in USI: from a square or a kind in hand, to a square.
export function parseTe(usi) {
  const promotes = usi.endsWith('+');
  return usi[1] === '*'
    ? { drop: usi[0], from: null, to: usi.slice(2, 4), promotes }
    : { drop: null, from: usi.slice(0, 2), to: usi.slice(2, 4), promotes };
}

export function looksLikeTe(text) {
  return /^([1-9][a-i][1-9][a-i]\+?|[RBGSNLP]\*[1-9][a-i])$/.test(text);
}
