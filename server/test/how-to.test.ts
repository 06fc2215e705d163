/** The samples of the how-tos that are marked with `test` run as they are printed, against a running service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createKey } from '../src/accounts/index.ts';
import { portOf } from '../src/files/test-support.ts';
import { testService } from './harness.ts';

const ROOT = join(import.meta.dirname, '../..');
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

test('content is read by the client', async () => {
  const as = account;
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { body } = await service.call('POST /v1/cms/collections', { as, body: { name: 'Posts', fields } });
  const entry = { values: { title: 'Hello' } };
  assert.equal((await service.call(`POST /v1/cms/collections/${body.id}/entries`, { as, body: entry })).status, 200);
  const { stdout } = await run(process.execPath, [writeModule('show-content-on-a-site')], { env: process.env });
  assert.match(stdout, /^ent_\w+ Hello\n$/);
});

test('the lines of the page script name paths that the service serves, and every how-to is in the guide', async () => {
  const text = readFileSync(join(ROOT, 'docs/how-to/add-the-script.md'), 'utf8');
  const paths = new Set(
    [...text.matchAll(/src="https:\/\/headwater\.example(\/[^"]+)"/g)].map(([, path = '']) => path),
  );
  assert.ok(paths.size > 0);
  for (const path of paths) assert.equal((await service.app.inject(path)).statusCode, 200, path);
  const pages = readFileSync(join(ROOT, 'guide/pages.ts'), 'utf8');
  for (const file of globSync('docs/how-to/*.md', { cwd: ROOT })) assert.ok(pages.includes(basename(file)), file);
});
