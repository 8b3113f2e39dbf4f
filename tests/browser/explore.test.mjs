// The page of `komadai joseki explore` in a browser: what a reader does, and what is seen then. The figures are those that
// `komadai joseki probe --json` has for the same position.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CROWDED, EVEN, STANDARD, bookOfAll, browse, explore, probe } from './support.mjs';

let browser;
let standard;
let all;
let allBook;

before(async () => {
  browser = await browse();
  standard = await explore(STANDARD);
  allBook = bookOfAll();
  all = await explore(allBook);
});

after(async () => {
  await browser?.close();
  standard?.end();
  all?.end();
  assert.deepEqual(await Promise.all([standard.ended, all.ended]), [0, 0]);
});

// Opens the page and watches it to the end of the test: nothing may go wrong in it unseen, and nothing may leave the machine.
async function open(t, address, { locale = 'en-US', viewport, expected } = {}) {
  const context = await browser.newContext({ locale, viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) {
      complaints.push('a request to ' + request.url());
    }
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(address);
  return page;
}

const query = (parameters) => '?' + new URLSearchParams(parameters);
const text = (page, selector) => page.locator(selector).innerText();

// While somebody writes in the field, what stands there is not yet shown.
async function waitForSfen(page, sfen) {
  await page.waitForFunction((wanted) => {
    const field = document.getElementById('jump-to');
    return field.value === wanted && document.activeElement !== field;
  }, sfen);
}

// Waits until the position is shown, and compares its moves with what the program says of them.
async function assertShown(page, ...position) {
  const known = probe(STANDARD, ...position);
  await waitForSfen(page, known.sfen);
  const rows = await page.locator('#moves .known').evaluateAll((found) => found.map((row) => {
    const figures = (name) => [...row.querySelectorAll(`td.${name} :is(b, small)`)].map((one) => one.textContent).join(' ');
    return [row.dataset.usi, figures('count'), figures('winRate'), row.querySelector('td.next').textContent];
  }));
  const one = (figure) => figure.toFixed(1);
  const wanted = known.moves.toSorted((a, b) => b.count - a.count).map((te) => [
    te.usi,
    `${te.count.toLocaleString('en-US')} ${one(te.share)}%`,
    `${one(te.win_rate)}% ${one(te.win_low)}–${one(te.win_high)}`,
    te.leads_to > 0 ? `${te.leads_to} ›` : 'end',
  ]);
  assert.deepEqual(rows, wanted);
  assert.ok(rows.length > 0);
}

test('a click on the most played move shows the position after it', async (t) => {
  const page = await open(t, standard.url);
  await assertShown(page, 'startpos');
  assert.match(await page.title(), /standard\.joseki/);
  assert.equal(await text(page, '#book-name'), 'standard.joseki');
  assert.equal(await text(page, '#book-facts'), '.joseki · 1.7 MB');
  await page.locator('#moves .known').first().click();
  await assertShown(page, 'startpos moves 7g7f');
  assert.equal(await text(page, '#line [aria-current]'), 'P-7f');
  assert.equal(await text(page, '#turn'), 'Gote to move');
  assert.equal(await page.locator('#board .last-to').count(), 1);
  const third = await page.locator('#main-line .step').nth(2).innerText();
  await page.locator('#main-line .step').nth(2).click();
  await page.locator('#line .step').nth(4).waitFor();
  assert.equal(await text(page, '#line [aria-current]'), third);
});

test('one goes back by button, key, line and browser, and forward again', async (t) => {
  const page = await open(t, standard.url + query({ moves: '7g7f 3c3d 2g2f' }));
  await assertShown(page, 'startpos moves 7g7f 3c3d 2g2f');
  await page.locator('#back').click();
  await assertShown(page, 'startpos moves 7g7f 3c3d');
  await page.keyboard.press('ArrowLeft');
  await assertShown(page, 'startpos moves 7g7f');
  await page.goBack();
  await assertShown(page, 'startpos moves 7g7f 3c3d');
  await page.goForward();
  await assertShown(page, 'startpos moves 7g7f');
  await page.keyboard.press('ArrowRight');
  await assertShown(page, 'startpos moves 7g7f 3c3d');
  await page.keyboard.press('Home');
  await assertShown(page, 'startpos');
  assert.ok(await page.locator('#back').isDisabled());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await assertShown(page, 'startpos moves 2g2f');
  await page.locator('#line .step').first().click();
  await assertShown(page, 'startpos');
});

test('the address holds the position, so that it outlives a reload', async (t) => {
  const page = await open(t, standard.url);
  await page.locator('#moves .play').first().press('Enter');
  await assertShown(page, 'startpos moves 7g7f');
  // Whoever walks by the keyboard stays among the moves.
  assert.equal(await page.evaluate(() => document.activeElement.className), 'play');
  assert.equal(page.url(), standard.url + '?moves=7g7f');
  await page.locator('#flip').click();
  await page.reload();
  await assertShown(page, 'startpos moves 7g7f');
  assert.equal(page.url(), standard.url + '?moves=7g7f&flip=1');
  assert.equal(await page.locator('#flip').getAttribute('aria-pressed'), 'true');
  assert.equal(await page.locator('#board .coordinates text').first().textContent(), '1');
  await page.keyboard.press('f');
  assert.equal(await page.locator('#board .coordinates text').first().textContent(), '9');
});

test('one jumps to a SFEN, to moves and by a move', async (t) => {
  const page = await open(t, standard.url);
  await assertShown(page, 'startpos');
  const jump = async (words) => {
    await page.locator('#jump-to').fill(words);
    await page.keyboard.press('Enter');
  };
  const { sfen } = probe(STANDARD, 'startpos moves 7g7f 3c3d');
  // What stands there is selected, so it is written over.
  await page.keyboard.press('/');
  await page.keyboard.type(sfen);
  await page.keyboard.press('Enter');
  await assertShown(page, sfen);
  assert.equal(new URL(page.url()).searchParams.get('sfen'), sfen);
  await jump('2g2f');
  await assertShown(page, `${sfen} moves 2g2f`);
  await jump('startpos moves 2g2f 8c8d');
  await assertShown(page, 'startpos moves 2g2f 8c8d');
  await jump('5e5d');
  assert.equal(await text(page, '#trouble-text'), '5e5d is not legal here.');
  assert.equal(page.url(), standard.url + '?moves=2g2f+8c8d');
});

test('a SFEN that is none is named as such', async (t) => {
  const page = await open(t, standard.url + query({ sfen: 'nonsense' }), { expected: /status of 400/ });
  await page.locator('#trouble').waitFor();
  assert.match(await text(page, '#trouble'), /can’t be shown.*SFEN board: 'o' is no piece/s);
  await page.locator('#trouble-start').click();
  await assertShown(page, 'startpos');
  assert.ok(await page.locator('#trouble').isHidden());
  await page.locator('#jump-to').fill('<img src=x>');
  await page.keyboard.press('Enter');
  await page.locator('#trouble').waitFor();
  assert.equal(page.url(), standard.url);
});

test('where the book knows nothing one is told, and finds back', async (t) => {
  const page = await open(t, standard.url + query({ moves: '9i9h 1a1b' }));
  await page.locator('#nothing').waitFor();
  assert.match(await text(page, '#nothing'), /The book knows no move here\./);
  assert.ok(await page.locator('#moves').isHidden());
  await page.locator('#nothing-back').click();
  await waitForSfen(page, probe(STANDARD, 'startpos moves 9i9h').sfen);
  await page.goBack();
  await page.locator('#nothing-start').click();
  await assertShown(page, 'startpos');
});

test('the language is that of the browser until it is switched', async (t) => {
  const page = await open(t, standard.url + query({ moves: '7g7f' }), { locale: 'ja-JP' });
  await waitForSfen(page, probe(STANDARD, 'startpos moves 7g7f').sfen);
  assert.equal(await text(page, '#turn'), '後手の手番');
  assert.equal(await text(page, '#line [aria-current]'), '▲７六歩');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  await page.locator('#language').click();
  assert.equal(await text(page, '#turn'), 'Gote to move');
  await page.reload();
  await waitForSfen(page, probe(STANDARD, 'startpos moves 7g7f').sfen);
  assert.equal(await text(page, '#line [aria-current]'), 'P-7f');
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});

test('moves are played on the board, with the choice of a promotion', async (t) => {
  const page = await open(t, standard.url);
  await assertShown(page, 'startpos');
  const click = (square) => page.locator(`#board [data-square="${square}"]`).click();
  await click('7g');
  assert.equal(await page.locator('#board .target').count(), 1);
  await click('7f');
  await assertShown(page, 'startpos moves 7g7f');
  await click('3c');
  await click('3d');
  await assertShown(page, 'startpos moves 7g7f 3c3d');
  await click('8h');
  await click('2b');
  await page.locator('#promotion button').first().click();
  await waitForSfen(page, probe(STANDARD, 'startpos moves 7g7f 3c3d 8h2b+').sfen);
  assert.equal(await text(page, '#line [aria-current]'), 'Bx2b+');
  await click('3a');
  await click('2b');
  await page.locator('#board [data-hand="B"]').click();
  await click('5e');
  await waitForSfen(page, probe(STANDARD, 'startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e').sfen);
});

test('what a book says is shown as text, and an illegal move can not be played', async (t) => {
  const page = await open(t, all.url);
  await waitForSfen(page, EVEN);
  assert.equal(await text(page, '#comment'), 'Both sides have their reasons.\n<b>角換わり</b> & more');
  assert.equal(await text(page, '#moves td.comment'), '<img src="http://example.org/x.png">sharp');
  assert.equal(await page.locator('main img, main b >> text=角').count(), 0);
  assert.match(await text(page, '#moves .known >> nth=0'), /7g7f · reply 3c3d.*\+35\s*depth 22/s);
  assert.match(await text(page, '#moves .known >> nth=1'), /good/);
  const illegal = page.locator('#moves .illegal[data-usi="7g7e"]');
  assert.match(await illegal.innerText(), /illegal/);
  assert.equal(await illegal.locator('button').count(), 0);
  await illegal.click();
  await page.locator('#moves [data-usi="5g5f"]').click();
  await waitForSfen(page, probe(allBook, 'startpos moves 5g5f').sfen);
});

test('hands and promoted pieces are drawn', async (t) => {
  const page = await open(t, all.url + query({ sfen: CROWDED }));
  await waitForSfen(page, CROWDED);
  const faces = await page.locator('#board .promoted text').allTextContents();
  assert.deepEqual(faces.toSorted(), ['龍', '圭', '馬', '全', '杏', 'と'].toSorted());
  const counts = await page.locator('#board .hand').evaluateAll((hands) =>
    hands.map((hand) => [...hand.querySelectorAll('.koma text, .count')].map((one) => one.textContent).join('')));
  assert.deepEqual(counts, ['角金2銀桂香歩2', '飛金2銀2桂2香歩4']);
  assert.equal(await page.locator('#board .in-check').count(), 1);
  await page.locator('#faces').click();
  assert.ok((await page.locator('#board .promoted text').allTextContents()).includes('+R'));
});

test('nothing runs over the side of a narrow window', async (t) => {
  for (const [address, sfen] of [[standard.url, EVEN], [all.url, EVEN], [all.url + query({ sfen: CROWDED }), CROWDED]]) {
    const page = await open(t, address, { viewport: { width: 320, height: 640 } });
    await waitForSfen(page, sfen);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, address);
  }
});

test('a program that has ended is missed', async (t) => {
  const short = await explore(STANDARD);
  const page = await open(t, short.url, { expected: /ERR_CONNECTION_REFUSED/ });
  await assertShown(page, 'startpos');
  short.end();
  await short.ended;
  await page.locator('#moves .known').first().click();
  await page.locator('#trouble').waitFor();
  assert.match(await text(page, '#trouble'), /does not answer/);
  await assertShown(page, 'startpos');
});
