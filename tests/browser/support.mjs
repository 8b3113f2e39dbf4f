// What the test and the photographs share: the program, a browser, a book of all that can stand in one.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const STANDARD = join(ROOT, 'joseki/standard.joseki');
export const EVEN = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
// Large hands, promoted pieces of every kind; Gote is in check.
export const CROWDED = '4k2+R1/2+N6/pp1p1p1pp/4+B4/9/P1PP1P2P/1+s2+l4/3+p5/L7K w R2G2S2NL4Pb2gsnl2p 88';

const BINARIES = [process.env.KOMADAI_BINARY, join(ROOT, 'target/release/komadai'), join(ROOT, 'target/debug/komadai')];
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function first(paths, what) {
  const path = paths.find((one) => one && existsSync(one));
  if (!path) {
    throw new Error(`${what} is missing: none of ${paths.filter(Boolean).join(', ')} is there`);
  }
  return path;
}

export const folder = mkdtempSync(join(tmpdir(), 'komadai-browser-'));

export function joseki(...words) {
  const environment = { ...process.env, KOMADAI_INI: join(folder, 'komadai.ini') };
  return execFileSync(first(BINARIES, 'the program'), ['joseki', ...words], { encoding: 'utf8', env: environment });
}

export function probe(book, ...position) {
  return JSON.parse(joseki('probe', '--json', book, ...position));
}

// Serves a book; gives the address of its page and a function that ends it.
export async function explore(book) {
  const child = spawn(first(BINARIES, 'the program'), ['joseki', 'explore', book, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: line, end: () => child.kill('SIGINT'), ended: new Promise((resolve) => child.on('exit', resolve)) };
  }
  throw new Error('the program ends without an address');
}

// Containers have no user namespaces for the sandbox; the page is our own.
export function browse() {
  return chromium.launch({ executablePath: first(BROWSERS, 'Chromium'), args: ['--no-sandbox'] });
}

// A book with values, depths, replies, comments, an illegal move, and a crowded position.
export function bookOfAll() {
  const text = join(folder, 'all.db');
  const book = join(folder, 'all.joseki');
  writeFileSync(text, `#YANEURAOU-DB2016 1.00
sfen ${EVEN}
7g7f 3c3d 35 22 900
2g2f 8c8d 30 22 600
5g5f none -120 18 12
7g7e none none none 3
sfen ${CROWDED}
G*4a none -640 20 31
P*3a none -1850 20 2
`);
  joseki('convert', text, book);
  joseki('edit', book, 'comment', 'Both sides have their reasons.\n<b>角換わり</b> & more');
  joseki('edit', book, 'comment', '<img src="http://example.org/x.png">sharp', '--move', '7g7f');
  joseki('edit', book, 'set', '2g2f', '--annotation', 'good');
  return book;
}
