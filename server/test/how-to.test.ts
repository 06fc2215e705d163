// Slow: runs every sample of the guide in a process of its own.
/** The samples of the how-tos that are marked with `test` run as they are printed, against a running service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { createKey } from '../src/accounts/index.ts';
import { portOf } from '../src/files/test-support.ts';
import { testService } from './harness.ts';
import { bundledService } from './service-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const REACT_SERVER = 'react-dom/server';
const run = promisify(execFile);

const service = await testService();
const account = await service.newAccount();
const url = `http://127.0.0.1:${await portOf(service)}`;
Object.assign(process.env, { HEADWATER_URL: url, HEADWATER_TOKEN: account.token, HEADWATER_KEY: account.apiKey });
// Inside of the repository, so that the client is found as an installed package would be.
const folder = join(ROOT, `server/test/.tmp/how-to-${process.pid}`);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));

/** The samples of a page in a language that are marked. */
function samples(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, `docs/how-to/${page}.md`), 'utf8');
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language} test\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
  assert.ok(found.length > 0, `${page} has a sample`);
  return found;
}

function writeModule(page: string): string {
  const file = join(folder, `${page}.mjs`);
  writeFileSync(file, samples(page, 'js')[0] ?? '');
  return file;
}

async function visit(landing: string): Promise<{ sessionHash: string }> {
  const { status, body } = await service.call('POST /v1/visits', { body: { api_key: account.apiKey, url: landing } });
  assert.equal(status, 200);
  return body;
}

test('events are sent from a shell and from Node', async () => {
  const page = 'send-events-from-a-server';
  for (const code of samples(page, 'sh')) {
    const { stdout } = await run('bash', ['-euc', code], { env: process.env });
    assert.equal(JSON.parse(stdout).success, true);
  }
  const { stdout } = await run(process.execPath, [writeModule(page)], { env: process.env });
  assert.match(stdout, /^true evt_/);
  const { rows } = await service.db.query('select event from events order by event');
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['invoice paid', 'subscription started'],
  );
});

test('payments of Stripe become conversions, and refunds change them', async () => {
  const { reportStripeEvent } = await import(pathToFileURL(writeModule('report-stripe-payments')).href);
  const { sessionHash } = await visit('https://shop.example/?gclid=stripe');
  const paid = {
    type: 'checkout.session.completed',
    data: {
      object: {
        payment_status: 'paid',
        client_reference_id: sessionHash,
        payment_intent: 'pi_1',
        amount_total: 12_990,
        currency: 'eur',
      },
    },
  };
  assert.equal((await reportStripeEvent(paid)).status, 'reported');
  // Stripe sends again what it got no answer for.
  assert.equal((await reportStripeEvent(paid)).status, 'reported');
  const refund = {
    type: 'charge.refunded',
    data: {
      object: {
        metadata: { headwater_session: sessionHash },
        payment_intent: 'pi_1',
        amount: 12_990,
        amount_refunded: 5_000,
      },
    },
  };
  assert.equal((await reportStripeEvent(refund)).status, 'reported');
  const { rows } = await service.db.query(
    "select value::text, currency, event from conversions where event_id = 'pi_1'",
  );
  assert.deepEqual(rows, [{ value: '79.9', currency: 'EUR', event: 'purchase' }]);
});

test('orders of WooCommerce become conversions, and refunds and cancellations change them', async () => {
  const woo = await import(pathToFileURL(writeModule('report-woocommerce-orders')).href);
  const { sessionHash } = await visit('https://shop.example/?gclid=woo');
  const order = (more: object) => ({
    ...{ id: 71, status: 'processing', total: '99.90', currency: 'EUR', refunds: [] },
    ...{ meta_data: [{ key: '_headwater_session', value: sessionHash }], ...more },
  });
  const value = async () => {
    const { rows } = await service.db.query("select value::text from conversions where event_id = 'woocommerce-71'");
    return rows.map((row) => row.value);
  };
  assert.equal(await woo.reportOrder(order({ status: 'pending' })), undefined);
  assert.equal(await woo.reportOrder(order({ meta_data: [] })), undefined);
  assert.equal((await woo.reportOrder(order({}))).status, 'reported');
  assert.equal((await woo.reportOrder(order({ status: 'completed' }))).status, 'reported');
  assert.deepEqual(await value(), ['99.9']);
  await woo.reportOrder(order({ status: 'completed', refunds: [{ id: 1, total: '-20.20' }] }));
  assert.deepEqual(await value(), ['79.7']);
  await woo.reportOrder(order({ status: 'cancelled' }));
  assert.deepEqual(await value(), ['0']);
  const body = '{"id":71}';
  const signature = createHmac('sha256', 'secret').update(body).digest('base64');
  assert.equal(woo.isFromWooCommerce(body, signature, 'secret'), true);
  for (const wrong of [undefined, '', 'AAAA', signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))]) {
    assert.equal(woo.isFromWooCommerce(body, wrong, 'secret'), false);
  }
});

test('consent managers switch the mode, also if the choice was made before', () => {
  const [google = '', tcf = '', cookiebot = ''] = samples('use-a-consent-manager', 'js');
  const modes: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: what a page has
  const window: any = { headwater: { consent: (mode: string) => modes.push(mode) } };
  const listeners: Record<string, () => void> = {};
  window.addEventListener = (name: string, listener: () => void) => {
    listeners[name] = listener;
  };
  const execute = (code: string) => new Function('window', code)(window);

  window.dataLayer = [['consent', 'default', { analytics_storage: 'denied' }], { event: 'gtm.js' }];
  execute(google);
  window.dataLayer.push(['consent', 'update', { ad_storage: 'granted' }]);
  assert.equal(window.dataLayer.push(['consent', 'update', { analytics_storage: 'granted' }]), 4);
  assert.deepEqual(modes.splice(0), ['cookieless', 'full']);

  // biome-ignore lint/suspicious/noExplicitAny: data of the framework
  let tell: any;
  window.__tcfapi = (_command: string, _version: number, listener: unknown) => {
    tell = listener;
  };
  execute(tcf);
  tell({ eventStatus: 'cmpuishown', purpose: { consents: {} } }, true);
  tell({ eventStatus: 'tcloaded', purpose: { consents: { 1: true } } }, true);
  tell({ eventStatus: 'useractioncomplete', purpose: { consents: { 1: true, 8: true } } }, true);
  tell({ eventStatus: 'tcloaded', gdprApplies: false, purpose: { consents: {} } }, true);
  assert.deepEqual(modes.splice(0), ['cookieless', 'full', 'full']);

  window.Cookiebot = { consent: { statistics: true } };
  execute(cookiebot);
  listeners.CookiebotOnConsentReady?.();
  assert.deepEqual(modes.splice(0), ['full']);
});

test('the postback of a network reports a conversion', async () => {
  await visit('https://shop.example/?tblci=click-77');
  const { token } = await createKey(service.control, account.id, 'postback', 'Network');
  const [template = ''] = samples('set-up-postbacks', 'url');
  const filled = template
    .trim()
    .replace('https://headwater.example', url)
    .replace('hw_pb_…', token ?? '')
    .replace('{click_id}', 'click-77')
    .replace('{payout}', '12.50')
    .replace('{currency}', 'USD')
    .replace('{transaction_id}', 'tx-1');
  const answer = (await (await fetch(filled)).json()) as { status: string };
  assert.equal(answer.status, 'reported');
});

test('content is read by the client, and rendered by Next.js and Astro', async () => {
  const as = account;
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { body } = await service.call('POST /v1/cms/collections', { as, body: { name: 'Posts', fields } });
  const entry = { values: { title: 'Hello' } };
  assert.equal((await service.call(`POST /v1/cms/collections/${body.id}/entries`, { as, body: entry })).status, 200);
  const page = 'show-content-on-a-site';
  const { stdout } = await run(process.execPath, [writeModule(page)], { env: process.env });
  assert.match(stdout, /^ent_\w+ Hello\n$/);

  process.env.HEADWATER_COLLECTION = body.id;
  // A server component is a function that returns elements.
  const [next = ''] = samples(page, 'jsx');
  const { code } = await transform(next, { loader: 'jsx', jsx: 'automatic', format: 'esm' });
  const file = join(folder, 'next.mjs');
  writeFileSync(file, code);
  const { default: Page, revalidate } = await import(pathToFileURL(file).href);
  const { renderToStaticMarkup } = await import(REACT_SERVER);
  assert.equal(revalidate, 60);
  assert.equal(renderToStaticMarkup(await Page()), '<article><h2>Hello</h2></article>');

  // The part between the lines is the script of the page.
  const [astro = ''] = samples(page, 'astro');
  const [, script = ''] = /^---\n([\s\S]*?)^---$/m.exec(astro) ?? [];
  const component = join(folder, 'astro.mjs');
  writeFileSync(component, `${script.replaceAll('import.meta.env', 'process.env')}\nexport default entries;\n`);
  const { default: entries } = await import(pathToFileURL(component).href);
  assert.deepEqual(
    entries.map(({ values }: { values: { title: string } }) => values.title),
    ['Hello'],
  );
});

test('the lines of the page script name paths that the service serves, and every page of docs/ is in the guide', async () => {
  const text = readFileSync(join(ROOT, 'docs/how-to/add-the-script.md'), 'utf8');
  const paths = new Set(
    [...text.matchAll(/src="https:\/\/headwater\.example(\/[^"]+)"/g)].map(([, path = '']) => path),
  );
  assert.ok(paths.size > 0);
  for (const path of paths) assert.equal((await service.app.inject(path)).statusCode, 200, path);
  const { SECTIONS } = await import('../../guide/pages.ts');
  const files = new Set(SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file)));
  for (const file of globSync('docs/**/*.md', { cwd: ROOT })) assert.ok(files.has(file), file);
});

test('every sample of the documentation is a program of its language', async () => {
  const faults: string[] = [];
  const scripts: string[] = [];
  let count = 0;
  for (const file of globSync(['docs/**/*.md', 'README.md'], { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, language = '', code = ''] of text.matchAll(/^ *```(\w+)(?: test)?\n([\s\S]*?)^ *```$/gm)) {
      if (!['js', 'jsx', 'ts', 'tsx', 'json', 'sh', 'bash'].includes(language)) continue;
      count++;
      if (language.endsWith('sh')) {
        // Named like its page, for the message.
        const script = join(folder, `${count}-${file.replaceAll('/', '-')}.sh`);
        writeFileSync(script, code);
        scripts.push(script);
        continue;
      }
      const check = transform(code, { loader: language as 'js', jsx: 'automatic' });
      await check.catch(({ message }: Error) => faults.push(`${file}: ${message}`));
    }
  }
  // A small process starts others in a tenth of the time that this one takes.
  const checkAll = 'for script; do bash -n "$script" 2>&1 || echo "$script is no program"; done';
  const { stdout } = await run('bash', ['-c', checkAll, 'bash', ...scripts]);
  assert.equal(stdout, '');
  assert.ok(count > 50, `${count} found`);
  assert.deepEqual(faults, []);
});

test('the commands that import from other systems run as they are printed', async () => {
  for (const worker of service.workers) worker.start();
  const cwd = join(folder, 'imports');
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const bundle = await bundledService();
  const command = bundle === undefined ? join(ROOT, 'server/src/cli.ts') : join(bundle, 'dist/cli.js');
  write('bin/npx', `#!/bin/sh\nshift\nexec ${process.execPath} ${command} "$@" --json\n`);
  chmodSync(join(cwd, 'bin/npx'), 0o755);
  const fields = [{ id: 'sku', label: 'SKU', type: 'text' }];
  await service.call('POST /v1/cms/collections', { as: account, body: { name: 'Products', fields } });
  /** The export that a command reads. */
  const exports: Record<string, () => void> = {
    contentful: () =>
      write('export.json', {
        locales: [{ code: 'en', default: true }],
        contentTypes: [{ sys: { id: 'post' }, name: 'Post', fields: [{ id: 'title', name: 'Title', type: 'Symbol' }] }],
        entries: [{ sys: { id: 'p', contentType: { sys: { id: 'post' } } }, fields: { title: { en: 'Hello' } } }],
      }),
    directus: () => {
      const field = { collection: 'notes', field: 'text', type: 'string', meta: {}, schema: {} };
      write('export/snapshot.json', {
        directus: '11.0.0',
        collections: [{ collection: 'notes', schema: {} }],
        fields: [field],
      });
      write('export/notes.json', [{ id: 1, text: 'Hello' }]);
    },
    strapi: () => {
      rmSync(join(cwd, 'export'), { recursive: true });
      cpSync(join(ROOT, 'server/src/importers/fixtures/strapi'), join(cwd, 'export'), { recursive: true });
    },
    payload: () => {
      rmSync(join(cwd, 'export'), { recursive: true });
      write('export/config.json', {
        collections: [{ slug: 'pages', fields: [{ name: 'title', type: 'text' }] }],
      });
      write('export/pages.json', { docs: [{ id: 1, title: 'Hello' }] });
    },
    csv: () => write('products.csv', 'SKU\na-1\n'),
    plausible: () =>
      write('events.ndjson', {
        ...{ name: 'pageview', site_id: 1, hostname: 'shop.example', pathname: '/', user_id: '1', session_id: 1 },
        ...{ timestamp: '2025-03-01 10:00:00', referrer: '', utm_source: '', 'meta.key': [], 'meta.value': [] },
      }),
  };
  const lines = ['import-content', 'import-visits'].flatMap((page) =>
    samples(page, 'sh').flatMap((code) => code.trim().split('\n')),
  );
  const env = { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
  const ran = new Set<string>();
  for (const line of lines) {
    const [, source = ''] = /headwater import (\w+)/.exec(line) ?? [];
    // Its tables are in the test of the importers.
    if (source === 'umami') continue;
    exports[source]?.();
    const code = line.replace('hw_sk_…', account.token).replace('https://headwater.example', url);
    const { stdout } = await run('bash', ['-euc', code], { cwd, env });
    assert.deepEqual(JSON.parse(stdout).failed, [], line);
    ran.add(source);
  }
  assert.deepEqual([...ran].sort(), Object.keys(exports).sort());
});
