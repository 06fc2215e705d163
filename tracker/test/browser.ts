import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

const decompress = promisify(brotliDecompress);

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/** Headers of a regular browser; a headless one counts as a bot. */
export const PERSON: BrowserContextOptions = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  extraHTTPHeaders: { 'sec-ch-ua': '"Chromium";v="147", "Not.A/Brand";v="8"' },
};

/**
 * A headless Chromium, one for all files of a process; each opens contexts of its own. Its binary and libraries come from npm, compressed.
 * `CHROMIUM_PATH` names another one, which is needed on platforms other than Linux on x64.
 *
 * Host names that end in `.test` resolve to this machine, so that pages can be on several sites without TLS.
 */
export const browser: Browser = await launch();

async function launch(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  const folder = given === undefined ? await unpack() : '';
  const browser = await chromium.launch({
    executablePath: given ?? join(folder, 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
    env: given ? process.env : { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  });
  after(() => browser.close());
  return browser;
}

/** Unpacks a version once, atomically. */
async function unpack(): Promise<string> {
  const bin = new URL('../bin/', import.meta.resolve('@sparticuz/chromium').replace(/\/build\/.*/, '/build/'));
  const { version } = JSON.parse(readFileSync(new URL('../package.json', bin), 'utf8'));
  const folder = join(CACHE, `chromium-${version}-fonts`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(join(CACHE, 'chromium-'));
  const read = async (name: string) => decompress(readFileSync(new URL(name, bin)));
  writeFileSync(join(fresh, 'chromium'), await read('chromium.br'), { mode: 0o700 });
  for (const name of ['al2023.tar.br', 'fonts.tar.br']) {
    const tar = spawnSync('tar', ['-x', '-C', fresh], { input: await read(name) });
    if (tar.status !== 0) throw new Error(`tar: ${tar.stderr}`);
  }
  // Chromium crashes at the first button if it finds no font.
  const fonts = `<dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir>`;
  writeFileSync(join(fresh, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>`);
  try {
    renameSync(fresh, folder);
  } catch {
    // Another test file was faster.
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}
