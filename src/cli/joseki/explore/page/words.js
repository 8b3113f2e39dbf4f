// The words of the page in both languages. `{name}` is filled in.

const WORDS = {
  en: {
    otherLanguage: '日本語', otherLanguageLabel: '日本語で表示する',
    kanji: '漢字', letters: 'ABC', facesLabel: 'Pieces: {now}. Switch to {other}',
    start: 'Start', back: 'Back', forward: 'Play', flip: 'Flip',
    startLabel: 'To the start of the line (Home)', backLabel: 'One move back (left arrow)',
    forwardLabel: 'Play the chosen move (right arrow)', flipLabel: 'Turn the board (F)',
    tools: 'Walk through the book',
    position: 'Position', go: 'Go',
    jumpHelp: 'The SFEN of this position. Enter another one, “startpos moves …”, or a move such as 7g7f.',
    sente: 'Sente', gote: 'Gote', toMove: 'to move', none: 'none',
    turn: '{side} to move', mated: '{side} is checkmated', inCheck: 'check',
    ply: 'Move {n}', games: '{n} games', candidates: '{n} moves known', candidate: '1 move known',
    move: 'Move', count: 'Games', winRate: 'Win rate', value: 'Value', rating: 'Rating', next: 'Next',
    winRateTitle: 'What the side that moves scored, with the 95% interval',
    valueTitle: 'Centipawns for the side that moves',
    ratingTitle: 'Mean rating of those who played the move, and of their opponents',
    nextTitle: 'How many moves the book knows after this one',
    interval: '95%: {low} to {high}', depth: 'depth {n}', against: 'against {n}', reply: 'reply {te}',
    forced: 'only move', good: 'good', bad: 'bad', blunder: 'blunder', illegal: 'illegal',
    illegalTitle: 'The book has this move, but the rules don’t allow it',
    endOfBook: 'end', mainLine: 'Most played line from here', line: 'Moves so far', startOfLine: 'Start',
    otherStart: 'Position',
    nothing: 'The book knows no move here.',
    nothingWhy: 'Go back, or play a move on the board: the book may know the position after it.',
    mateWhy: 'There is no legal move.', kingsWhy: 'A position without both kings is in no book.',
    goBack: 'Go back', toStart: 'To the start',
    badPosition: 'This position can’t be shown.', badMove: '{te} is not legal here.',
    unreachable: 'The program behind this page does not answer. Is it still running?',
    keys: 'Keys: ← back, → play, ↑ ↓ choose a move, Home start, F flip, / enter a position',
    promoteQuestion: 'Promote?', promote: 'Promote', dontPromote: 'Don’t promote',
    boardLabel: 'Board. {turn}. {last}', lastMove: 'Last move {te}.', comment: 'Comment', bytes: 'bytes',
  },
  ja: {
    otherLanguage: 'English', otherLanguageLabel: 'Show in English',
    kanji: '漢字', letters: 'ABC', facesLabel: '駒の文字：{now}。{other}に切り替える',
    start: '最初', back: '戻る', forward: '進む', flip: '反転',
    startLabel: '最初の局面へ（Home）', backLabel: '一手戻る（←）',
    forwardLabel: '選んだ手を指す（→）', flipLabel: '盤を反転する（F）',
    tools: '定跡をたどる',
    position: '局面', go: '移動',
    jumpHelp: 'この局面のSFEN。別のSFEN、「startpos moves …」、または 7g7f のような指し手を入力できます。',
    sente: '先手', gote: '後手', toMove: '手番', none: 'なし',
    turn: '{side}の手番', mated: '{side}玉は詰み', inCheck: '王手',
    ply: '{n}手目', games: '{n}局', candidates: '候補手 {n}', candidate: '候補手 1',
    move: '指し手', count: '局数', winRate: '勝率', value: '評価値', rating: 'レート', next: '次の手',
    winRateTitle: '手番側の勝率と95%信頼区間',
    valueTitle: '手番側から見た評価値',
    ratingTitle: '指した側と相手の平均レート',
    nextTitle: 'この手の後に定跡にある手の数',
    interval: '95%信頼区間 {low}～{high}', depth: '深さ{n}', against: '対{n}', reply: '応手 {te}',
    forced: '唯一の手', good: '好手', bad: '悪手', blunder: '大悪手', illegal: '反則手',
    illegalTitle: '定跡にありますが、指せない手です',
    endOfBook: '終', mainLine: 'ここから最も指された手順', line: 'これまでの手順', startOfLine: '初手から',
    otherStart: '指定局面',
    nothing: 'この局面の手は定跡にありません。',
    nothingWhy: '戻るか、盤上で指してみてください。その先の局面は定跡にあるかもしれません。',
    mateWhy: '指せる手がありません。', kingsWhy: '両玉のない局面は定跡に入りません。',
    goBack: '一手戻る', toStart: '最初の局面へ',
    badPosition: 'この局面は表示できません。', badMove: '{te} はここでは指せません。',
    unreachable: 'プログラムから応答がありません。終了していませんか。',
    keys: 'キー：← 戻る、→ 進む、↑ ↓ 手を選ぶ、Home 最初、F 反転、/ 局面を入力',
    promoteQuestion: '成りますか？', promote: '成る', dontPromote: '成らない',
    boardLabel: '将棋盤。{turn}。{last}', lastMove: '直前の手 {te}。', comment: 'コメント', bytes: 'バイト',
  },
};

let language = 'en';

export function languageNow() {
  return language;
}

export function setLanguage(name) {
  language = name in WORDS ? name : 'en';
  document.documentElement.lang = language;
}

// The first language of the browser that the page has.
export function languageOfBrowser() {
  const wanted = navigator.languages.map((name) => name.slice(0, 2).toLowerCase());
  return wanted.find((name) => name in WORDS) ?? 'en';
}

export function word(key, values = {}) {
  return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

export function number(figure) {
  return new Intl.NumberFormat(language).format(figure);
}

export function percent(figure) {
  return figure.toFixed(1) + '%';
}

export function signed(figure) {
  return figure > 0 ? '+' + figure : String(figure).replace('-', '−');
}

// Size of a file.
export function bytes(size) {
  const units = ['', 'kB', 'MB', 'GB', 'TB'];
  const power = size < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(size) / 3));
  const figure = size / 1000 ** power;
  const digits = power > 0 && figure < 100 ? 1 : 0;
  return `${figure.toFixed(digits)} ${power === 0 ? word('bytes') : units[power]}`;
}

// The name of a move in the language of the page.
export function teName(te) {
  return (language === 'ja' ? te.japanese : te.english) ?? te.usi;
}
