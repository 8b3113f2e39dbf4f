// Takes pictures of the page: `node photograph.mjs FOLDER` writes one of every look that it has, and
// `node photograph.mjs FILE.png` only the one for the documentation, with `ja` behind it that for the documentation in
// Japanese. A Japanese font is needed for that, such as Debian's fonts-noto-cjk.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CROWDED, STANDARD, bookOfAll, browse, explore } from './support.mjs';

const WIDE = { width: 1240, height: 800 };
const NARROW = { width: 390, height: 844 };
const LINE = '7g7f 3c3d 2g2f 4c4d';

const YOKOFUDORI = '7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d';
const SIKENBISYA = '7g7f 3c3d 6g6f 8c8d 2h6h';
const DOCUMENTED = {
  en: { locale: 'en', moves: YOKOFUDORI, viewport: { width: 1100, height: 700 } },
  ja: { locale: 'ja', moves: SIKENBISYA, viewport: { width: 1100, height: 700 } },
};

const LOOKS = [
  { name: 'start', locale: 'en' },
  { name: 'line-ja', locale: 'ja', moves: LINE },
  { name: 'line-dark', locale: 'en', moves: LINE, colorScheme: 'dark' },
  { name: 'crowded-ja', locale: 'ja', sfen: CROWDED, all: true },
  { name: 'crowded-dark-flipped', locale: 'en', sfen: CROWDED, all: true, colorScheme: 'dark', flip: '1' },
  { name: 'figures', locale: 'en', all: true },
  { name: 'figures-ja-dark', locale: 'ja', all: true, colorScheme: 'dark' },
  { name: 'nothing', locale: 'en', moves: '9i9h 1a1b' },
  { name: 'bad', locale: 'ja', sfen: 'nonsense' },
  { name: 'narrow', locale: 'en', moves: LINE, viewport: NARROW },
  { name: 'narrow-ja-dark', locale: 'ja', all: true, viewport: NARROW, colorScheme: 'dark' },
];

async function photograph(browser, bases, look, path, whole) {
  const { locale, colorScheme = 'light', viewport = WIDE, all, sfen, moves, flip } = look;
  const page = await browser.newPage({ locale, colorScheme, viewport });
  const query = Object.entries({ sfen, moves, flip }).filter(([, value]) => value);
  await page.goto((all ? bases.all : bases.standard) + '?' + new URLSearchParams(query));
  await page.locator('#spoken:not(:empty), #trouble:not([hidden])').first().waitFor({ state: 'attached' });
  await page.screenshot({ path, fullPage: whole });
  await page.close();
}

const target = process.argv[2];
const standard = await explore(STANDARD);
const all = await explore(bookOfAll());
const browser = await browse();
// Another address may be named, such as one that serves files as they are being written.
const bases = { standard: process.env.STANDARD_URL ?? standard.url, all: process.env.ALL_URL ?? all.url };
if (target.endsWith('.png')) {
  await photograph(browser, bases, DOCUMENTED[process.argv[3] ?? 'en'], target, false);
} else {
  mkdirSync(target, { recursive: true });
  for (const look of LOOKS) {
    await photograph(browser, bases, look, join(target, look.name + '.png'), look.viewport === NARROW);
  }
}
await browser.close();
standard.end();
all.end();
