import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart } from '../../../test/furnished-account.ts';
import { type Account, testService } from '../../../test/harness.ts';
import { endOf, runnerOf } from '../../exports/test-support.ts';
import { deleteExpiredReconciliations } from './manage.ts';

const service = await testService();
const { call, db, clock } = service;
runnerOf(service).start();
const DAY = 86_400_000;

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const visit = (as: Account, gclid: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/?gclid=${gclid}&utm_source=awin` });
const report = (as: Account, ...items: unknown[]) => ok('POST /v1/analytics/report-conversion', as, items);

const send = (as: Account, query: string, file: string, name = 'payouts.csv') => {
  const { payload: body, headers } = filePart('file', name, Buffer.from(file));
  return call(`POST /v1/reconciliations?${query}`, { as, body, headers });
};

/** Uploads a statement, and waits until it is compared. */
async function reconcile(as: Account, query: string, file: string, name?: string) {
  const sent = await send(as, query, file, name);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.equal(sent.body.status, 'matching');
  return settled(as, sent.body);
}

async function settled(as: Account, { id, job }: { id: string; job: { id: string } }) {
  await endOf(service, as, job.id);
  return ok(`GET /v1/reconciliations/${id}`, as);
}

/** Starts a change of a reconciliation, and waits for its end. */
async function change(as: Account, id: string, name: 'apply', body?: unknown) {
  return settled(as, await ok(`POST /v1/reconciliations/${id}/${name}`, as, body));
}

type Line = Record<string, unknown>;

async function linesOf(as: Account, id: string, outcome?: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const query: string = `pageSize=2&pageToken=${token}${outcome ? `&outcome=${outcome}` : ''}`;
    const page = await ok(`GET /v1/reconciliations/${id}/lines?${query}`, as);
    lines.push(...page.lines);
    token = page.nextPageToken;
  }
  return lines;
}

const brief = ({ outcome, reason, identifier, there, here, currency, canApply }: Line) => [
  ...[outcome, reason, identifier, there, here, currency, canApply],
];

async function valuesOf(as: Account) {
  const { conversions } = await ok('GET /v1/conversions', as);
  return Object.fromEntries(
    conversions.map((each: Line) => [each.eventId ?? each.id, `${each.value} ${each.currency}`]),
  );
}

/** Today at noon, so that all sales are of one day. */
const noon = () => `${new Date(clock.now).toISOString().slice(0, 10)}`;

test('each order of a statement is equal, different, missing here or missing there; applied, they agree; undone, they are as before', async () => {
  const account = await service.newAccount();
  for (const click of ['c1', 'c2', 'c3']) await visit(account, click);
  await report(
    account,
    { gclid: 'c1', eventId: 'A1', value: 100, currency: 'EUR' },
    { gclid: 'c1', eventId: 'A2', value: '49.99', currency: 'EUR' },
    { gclid: 'c2', eventId: 'A3', value: 30, currency: 'EUR' },
    { gclid: 'c2', eventId: 'A4', value: 20, currency: 'USD' },
    { gclid: 'c2', eventId: 'only-here', value: 7, currency: 'EUR' },
    { gclid: 'c3', value: 5, currency: 'EUR' },
    { gclid: 'nobody', eventId: 'waits', value: 1, currency: 'EUR' },
  );
  const before = await valuesOf(account);
  const day = noon();
  const file = [
    'Order ID;Amount;Currency;Date;gclid',
    `A1;100,00;EUR;${day};`,
    `A2;50,00;EUR;${day};`,
    `A3;30,00;EUR;${day};`,
    `A3;-10,00;EUR;${day};`,
    `A4;20,00;EUR;${day};`,
    `B1;12,50;EUR;${day};c3`,
    `B2;3,00;EUR;${day};`,
    `waits;1,00;EUR;${day};`,
    `;5,00;EUR;${day};c3`,
    `X1;1,234;EUR;${day};`,
    `X2;;EUR;${day};`,
    `X3;1;XYZ;${day};`,
    `;1,00;EUR;${day};`,
  ].join('\n');
  const made = await reconcile(account, 'provider=csv&tolerance=0.02', file);
  assert.deepEqual([made.status, made.rows, made.faulty, made.ignored], ['ready', 13, 4, 0]);
  const lines = await linesOf(account, made.id);
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome === 'faulty').map(({ rows, reason }) => [rows, reason]),
    [
      [[11], 'amount_ambiguous'],
      [[12], 'amount_missing'],
      [[13], 'currency_invalid'],
      [[14], 'identifier_missing'],
    ],
  );
  assert.deepEqual(lines.filter(({ outcome }) => outcome !== 'faulty').map(brief), [
    ['equal', null, 'A1', '100', '100', 'EUR', false],
    ['equal', null, 'A2', '50', '49.99', 'EUR', false],
    ['different', 'amount', 'A3', '20', '30', 'EUR', true],
    ['different', 'currency', 'A4', '20', '20', 'EUR', false],
    ['missingHere', null, 'B1', '12.5', null, 'EUR', true],
    ['missingHere', 'unknown', 'B2', '3', null, 'EUR', false],
    ['missingHere', 'unmatched', 'waits', '1', null, 'EUR', false],
    ['equal', null, 'c3', '5', '5', 'EUR', false],
    ['missingThere', null, 'only-here', null, '7', 'EUR', true],
  ]);
  assert.deepEqual(made.outcomes.different.amounts, [
    { currency: 'EUR', there: '40', here: '30', difference: '10' },
    { currency: 'USD', there: '0', here: '20', difference: '-20' },
  ]);
  assert.deepEqual(await valuesOf(account), before);

  const applied = await change(account, made.id, 'apply', { outcomes: ['different', 'missingThere'] });
  assert.equal(applied.status, 'applied');
  assert.deepEqual([applied.outcomes.different.applied, applied.outcomes.missingThere.applied], [1, 1]);
  assert.deepEqual(applied.job.result, { restated: 2, reported: 0, unmatched: 0, changed: 0 });
  assert.deepEqual(await valuesOf(account), { ...before, A3: '20 EUR', 'only-here': '0 EUR' });
  const again = await call(`POST /v1/reconciliations/${made.id}/apply`, { as: account });
  assert.deepEqual([again.status, again.body.code], [400, 'reconciliation_not_ready']);

  const undone = await ok(`POST /v1/reconciliations/${made.id}/undo`, account);
  assert.ok(['undoing', 'undone'].includes(undone.status));
  const { jobs } = await ok('GET /v1/jobs?type=undo_conversion_import', account);
  await endOf(service, account, jobs[0].id);
  assert.equal((await ok(`GET /v1/reconciliations/${made.id}`, account)).status, 'undone');
  assert.deepEqual(await valuesOf(account), before);
  assert.deepEqual(await ok(`DELETE /v1/reconciliations/${made.id}`, account), { success: true });
  assert.equal((await call(`GET /v1/reconciliations/${made.id}`, { as: account })).status, 404);
  const { rows } = await db.query('select from reconciliation_lines where account_id = $1', [account.uuid]);
  assert.equal(rows.length, 0);
});

test('orders that are missing here are reported by their click ID, and conversions that changed meanwhile are left alone', async () => {
  const account = await service.newAccount();
  await visit(account, 'n1');
  await report(account, { gclid: 'n1', eventId: 'K1', value: 10, currency: 'EUR' });
  const file = `order id,amount,currency,gclid\nN1,25.50,EUR,n1\nN2,4,EUR,late\nK1,11,EUR,`;
  const made = await reconcile(account, 'provider=csv', file);
  await report(account, { gclid: 'n1', eventId: 'K1', value: 12, currency: 'EUR' });
  const applied = await change(account, made.id, 'apply');
  assert.deepEqual(applied.job.result, { restated: 0, reported: 1, unmatched: 1, changed: 1 });
  assert.deepEqual(await valuesOf(account), { N1: '25.5 EUR', K1: '12 EUR' });
  const [changed] = await linesOf(account, made.id, 'different');
  assert.deepEqual([changed?.reason, changed?.canApply, changed?.isApplied], ['changed', false, false]);
  assert.deepEqual(
    (await linesOf(account, made.id, 'missingHere')).map(({ identifier, isApplied }) => [identifier, isApplied]),
    [
      ['N1', true],
      ['N2', true],
    ],
  );
});

test('files of Stripe, PayPal and Shopify are read as their exports are documented, without fees and payouts', async () => {
  const account = await service.newAccount();
  await visit(account, 'p1');
  await report(
    account,
    { gclid: 'p1', eventId: '1001', value: 80, currency: 'EUR' },
    { gclid: 'p1', eventId: 'pi_2', value: 40, currency: 'EUR' },
    { gclid: 'p1', eventId: 'TX3', value: 1250, currency: 'EUR' },
  );
  const outcomes = async (query: string, file: string, name?: string) => {
    const { id, ignored, faulty } = await reconcile(account, `${query}&from=2000-01-01&to=2000-01-02`, file, name);
    const lines = await linesOf(account, id);
    return [ignored, faulty, ...lines.map((line) => [line.outcome, line.identifier, line.there, line.currency])];
  };
  const stripe = [
    'automatic_payout_id,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,customer_facing_amount,customer_facing_currency,payment_intent_id,charge_id,payment_metadata[order_id]',
    'po_1,txn_1,2026-01-02 10:00:00,usd,87.00,3.00,84.00,charge,ch_1,80.00,eur,pi_1,ch_1,1001',
    'po_1,txn_2,2026-01-02 11:00:00,eur,40.00,1.00,39.00,charge,ch_2,,,pi_2,ch_2,',
    'po_1,txn_3,2026-01-03 11:00:00,eur,-15.00,0,-15.00,refund,re_2,15.00,eur,pi_2,ch_2,',
    'po_1,txn_4,2026-01-03 11:00:00,eur,-2.00,0,-2.00,fee,,,,,,',
  ].join('\r\n');
  assert.deepEqual(await outcomes('provider=stripe', stripe), [
    ...[1, 0],
    ['equal', '1001', '80', 'EUR'],
    ['different', 'pi_2', '25', 'EUR'],
  ]);
  const json = JSON.stringify({
    object: 'list',
    data: [
      {
        id: 'txn_5',
        amount: 8000,
        currency: 'eur',
        type: 'charge',
        created: 1767348000,
        source: { id: 'ch_1', metadata: { order_id: '1001' } },
      },
      { id: 'txn_6', amount: 500, currency: 'jpy', type: 'charge', created: 1767348000, source: 'ch_9' },
      { id: 'txn_7', amount: -100, currency: 'eur', type: 'stripe_fee', created: 1767348000, source: null },
    ],
  });
  assert.deepEqual(await outcomes('provider=stripe', json, 'balance.json'), [
    ...[1, 0],
    ['equal', '1001', '80', 'EUR'],
    ['missingHere', 'ch_9', '500', 'JPY'],
  ]);
  const paypal = [
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Reference Txn ID","Invoice Number","Custom Number"',
    '"25/01/2026","10:00:00","CET","A","Express Checkout Payment","Completed","EUR","1.250,00","-3,00","1.247,00","TX3","","",""',
    '"26/01/2026","10:00:00","CET","A","Payment Refund","Completed","EUR","-50,00","0,00","-50,00","TX4","TX3","",""',
    '"26/01/2026","10:00:00","CET","","General Withdrawal","Completed","EUR","-500,00","0,00","-500,00","TX5","","",""',
  ].join('\n');
  assert.deepEqual(await outcomes('provider=paypal', `\ufeff${paypal}`), [1, 0, ['different', 'TX3', '1200', 'EUR']]);
  const shopify = [
    'Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Payout ID,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency',
    '2026-01-02 10:00:00 -0500,charge,#1001,visa,online,paid,2026-01-05,1,2026-01-05,80.00,2.00,78.00,#c1,card,,,EUR',
    '2026-01-05 10:00:00 -0500,payout,,,,paid,2026-01-05,1,2026-01-05,-78.00,0,-78.00,,,,,EUR',
  ].join('\n');
  assert.deepEqual(await outcomes('provider=shopify', shopify), [1, 0, ['equal', '1001', '80', 'EUR']]);
  assert.deepEqual(await outcomes('provider=shopify&amount=net', shopify), [1, 0, ['different', '1001', '78', 'EUR']]);
});

test('a refund in a later statement is compared with what was taken back of its conversion', async () => {
  const account = await service.newAccount();
  await visit(account, 'r1');
  await report(account, ...['R1', 'R2'].map((eventId) => ({ gclid: 'r1', eventId, value: 100, currency: 'EUR' })));
  await report(account, { gclid: 'r1', eventId: 'R1', value: 70 });
  const file = `order id,amount,currency\nR1,-30,EUR\nR2,-30,EUR`;
  const made = await reconcile(account, 'provider=csv', file);
  assert.deepEqual((await linesOf(account, made.id)).map(brief), [
    ['equal', null, 'R1', '70', '70', 'EUR', false],
    ['different', 'refund', 'R2', '70', '100', 'EUR', true],
  ]);
  await change(account, made.id, 'apply');
  assert.deepEqual(await valuesOf(account), { R1: '70 EUR', R2: '70 EUR' });
  // The same file again finds nothing to do.
  const again = await reconcile(account, 'provider=csv', file);
  assert.equal(again.outcomes.equal.count, 2);
});

test('two names of one order are one line; orders of one click are assigned by their amounts', async () => {
  const account = await service.newAccount();
  for (const click of ['s1', 's2']) await visit(account, click);
  await report(
    account,
    { gclid: 's1', eventId: 'S1', value: 30, currency: 'EUR' },
    ...[10, 20].map((value) => ({ gclid: 's2', value, currency: 'EUR' })),
  );
  const file = `eventId,order id,amount,currency,gclid\nS1,O1,20,EUR,\n,S1,10,EUR,\n,o-a,20,EUR,s2\n,o-b,10,EUR,s2\n,o-c,10,EUR,s2`;
  const { id } = await reconcile(account, 'provider=csv', file);
  assert.deepEqual((await linesOf(account, id)).map(brief), [
    ['equal', null, 'S1', '30', '30', 'EUR', false],
    ['equal', null, 'o-a', '20', '20', 'EUR', false],
    ['equal', null, 'o-b', '10', '10', 'EUR', false],
    ['missingHere', null, 'o-c', '10', null, 'EUR', true],
  ]);
});

test('conversions are missing there only in the period of the file, and of the event and source that it is about', async () => {
  const account = await service.newAccount();
  await visit(account, 'm1');
  const item = (eventId: string, event: string, daysAgo: number) => ({
    ...{ gclid: 'm1', eventId, event, value: 5, currency: 'EUR' },
    createdOn: new Date(clock.now - daysAgo * DAY).toISOString(),
  });
  await report(
    account,
    item('today', 'order', 0),
    item('lead', 'lead', 0),
    item('old', 'order', 3),
    item('listed', 'order', 0),
  );
  const file = `order id,amount,currency,date\nlisted,5,EUR,${noon()}`;
  const missing = async (query: string) => {
    const { id } = await reconcile(account, `provider=csv&${query}`, file);
    return (await linesOf(account, id, 'missingThere')).map(({ identifier }) => identifier).sort();
  };
  assert.deepEqual(await missing(''), ['lead', 'today']);
  assert.deepEqual(await missing('event=order'), ['today']);
  assert.deepEqual(await missing('source=Awin&event=lead'), ['lead']);
  assert.deepEqual(await missing('source=other'), []);
  const from = new Date(clock.now - 5 * DAY).toISOString().slice(0, 10);
  assert.deepEqual(await missing(`event=order&from=${from}`), ['old', 'today']);
});

test('bad files and settings are refused by name', async () => {
  const account = await service.newAccount();
  const refused = async (query: string, file = 'order id,amount,currency\n1,1,EUR') => {
    const { status, body } = await send(account, query, file);
    return [status, body.code, body.errors?.map((each: { pointer: string }) => each.pointer).sort()];
  };
  assert.deepEqual(await refused('provider=csv&currency=QQQ&from=2026-02-02&to=2026-02-01'), [
    ...[400, 'currency_invalid', ['?currency', '?to']],
  ]);
  assert.equal((await refused('provider=bank'))[0], 400);
  assert.deepEqual((await refused('provider=csv', '')).slice(0, 2), [400, 'file_empty']);
  const failed = async (query: string, file: string) => {
    const { status, error } = await reconcile(account, query, file);
    return [status, error.code];
  };
  assert.deepEqual(await failed('provider=csv&identifierColumn=Bestellung', 'a,b\n1,2'), ['failed', 'column_unknown']);
  assert.deepEqual(await failed('provider=csv', '{"a": 1}'), ['failed', 'json_invalid']);
  assert.deepEqual(await failed('provider=csv', '[1, {"a"'), ['failed', 'json_invalid']);
  assert.deepEqual(await failed('provider=csv', 'order id,amount\n"1,2\n'), ['failed', 'csv_malformed']);
  const { id } = await reconcile(account, 'provider=csv&faultyRows=refuse', 'order id,amount,currency\n1,x,EUR');
  const { status, body } = await call(`POST /v1/reconciliations/${id}/apply`, { as: account });
  assert.deepEqual([status, body.code], [400, 'rows_invalid']);
});

test('a reconciliation is deleted 90 days later', async () => {
  const account = await service.newAccount();
  const { id } = await reconcile(account, 'provider=csv', 'order id,amount,currency\n1,1,EUR');
  await deleteExpiredReconciliations({ db, clock: () => clock.now + 89 * DAY });
  await ok(`GET /v1/reconciliations/${id}`, account);
  await deleteExpiredReconciliations({ db, clock: () => clock.now + 91 * DAY });
  assert.equal((await call(`GET /v1/reconciliations/${id}`, { as: account })).status, 404);
});
