import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart } from '../../../test/furnished-account.ts';
import { type Account, testService } from '../../../test/harness.ts';
import { endOf, runnerOf } from '../../exports/test-support.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { deleteExpiredReconciliations } from './manage.ts';
import { reconcile as compare } from './reconcile.ts';

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
  await report(
    account,
    ...['R1', 'R2', 'R3', 'R4'].map((eventId) => ({ gclid: 'r1', eventId, value: 100, currency: 'EUR' })),
  );
  for (const eventId of ['R1', 'R4']) await report(account, { gclid: 'r1', eventId, value: 70 });
  // Of R3 more was taken back than it is worth here, as without taxes; of R4 what is known and the rest.
  const file = `order id,amount,currency\nR1,-30,EUR\nR2,-30,EUR\nR3,-119,EUR\nR4,-100,EUR`;
  const made = await reconcile(account, 'provider=csv', file);
  assert.deepEqual((await linesOf(account, made.id)).map(brief), [
    ['equal', null, 'R1', '70', '70', 'EUR', false],
    ['different', 'refund', 'R2', '70', '100', 'EUR', true],
    ['different', 'refund', 'R3', '0', '100', 'EUR', true],
    ['different', 'refund', 'R4', '0', '70', 'EUR', true],
  ]);
  await change(account, made.id, 'apply');
  assert.deepEqual(await valuesOf(account), { R1: '70 EUR', R2: '70 EUR', R3: '0 EUR', R4: '0 EUR' });
  // The same file again finds nothing to do.
  const again = await reconcile(account, 'provider=csv', file);
  assert.equal(again.outcomes.equal.count, 4);
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

test('a row that names an order never changes another order of the same click; a click alone counts where it leaves no doubt', async () => {
  const account = await service.newAccount();
  for (const click of ['t1', 't2', 't3', 't4', 't5']) await visit(account, click);
  await report(
    account,
    { gclid: 't1', eventId: 'T1', value: 100, currency: 'EUR' },
    { gclid: 't2', eventId: 'T2', value: 100, currency: 'EUR' },
    ...[30, 20].map((value) => ({ gclid: 't3', eventId: `T3-${value}`, value, currency: 'EUR' })),
    { gclid: 't4', value: 10, currency: 'EUR' },
    { gclid: 't5', eventId: 'T5', value: 70, currency: 'EUR' },
  );
  const before = await valuesOf(account);
  const file = [
    'order id,amount,currency,gclid',
    'T1-second,55,EUR,t1',
    ',90,EUR,t2',
    ',30,EUR,t3',
    ',21,EUR,t3',
    ',7,EUR,t3',
    'T4,11,EUR,t4',
    'T5,70,EUR,',
    'T5-second,70,EUR,t5',
  ].join('\n');
  const { id } = await reconcile(account, 'provider=csv', file);
  const lines = await linesOf(account, id);
  assert.deepEqual(lines.map(brief), [
    ['missingHere', null, 'T1-second', '55', null, 'EUR', true],
    // The only sale of the click.
    ['different', 'amount', 'T2', '90', '100', 'EUR', true],
    ['equal', null, 'T3-30', '30', '30', 'EUR', false],
    // Two rows may be the one sale that is left.
    ['missingHere', 'ambiguous', 't3', '21', null, 'EUR', false],
    ['missingHere', 'ambiguous', 't3', '7', null, 'EUR', false],
    ['different', 'noEventId', 'T4', '11', '10', 'EUR', false],
    ['equal', null, 'T5', '70', '70', 'EUR', false],
    ['missingHere', null, 'T5-second', '70', null, 'EUR', true],
  ]);
  await change(account, id, 'apply');
  assert.deepEqual(await valuesOf(account), {
    ...before,
    'T1-second': '55 EUR',
    T2: '90 EUR',
    'T5-second': '70 EUR',
  });
});

test('where no order of a file is known by its ID, none is reported that may be a sale of the same click under another ID', async () => {
  const account = await service.newAccount();
  await visit(account, 'o1');
  await report(account, { gclid: 'o1', eventId: 'evt-1', value: 40, currency: 'EUR' });
  const { id } = await reconcile(account, 'provider=csv', 'order id,amount,currency,gclid\n1,40,EUR,o1\n2,41,EUR,o1');
  assert.deepEqual((await linesOf(account, id)).map(brief), [
    ['missingHere', 'ambiguous', '1', '40', null, 'EUR', false],
    ['missingHere', null, '2', '41', null, 'EUR', true],
  ]);
});

test('each invalid row is named with its reason, and what it is about is neither restated nor missing there', async () => {
  const account = await service.newAccount();
  await visit(account, 'f1');
  const orders = ['F1', 'F2', 'F3', 'F4', 'F5'].map((eventId) => ({
    gclid: 'f1',
    eventId,
    value: 70,
    currency: 'EUR',
  }));
  await report(account, ...orders);
  const day = noon();
  const rows = [
    `F1,100,EUR,${day}`,
    `F1,-3x,EUR,${day}`,
    `F2,70,EUR,2026-02-30`,
    `F3,70,EUR,yesterday`,
    `F4,70,EUR,2999-01-01`,
    `F5,80,EUR,${day}`,
    `F5,80,EUR,${day}`,
    `F6,1,EUR,45962`,
    `1.23457E+11,1,EUR,${day}`,
    `F7,1,EUR,${day},2`,
    `${'x'.repeat(256)},1,EUR,${day}`,
    `F8,EUR 5,USD,${day}`,
  ];
  const file = `order id,amount,currency,date\n${rows.join('\n')}`;
  const made = await reconcile(account, 'provider=csv', file);
  const lines = await linesOf(account, made.id);
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome === 'faulty').map(({ rows, reason }) => [rows, reason]),
    [
      [[3], 'amount_invalid'],
      [[4], 'date_invalid'],
      [[5], 'date_invalid'],
      [[6], 'date_in_future'],
      [[8], 'row_duplicated'],
      [[9], 'date_invalid'],
      [[10], 'identifier_invalid'],
      [[11], 'row_too_long'],
      [[12], 'identifier_too_long'],
      [[13], 'currency_invalid'],
    ],
  );
  assert.ok(lines.filter(({ outcome }) => outcome === 'faulty').every(({ detail }) => String(detail).endsWith('.')));
  assert.deepEqual(lines.filter(({ outcome }) => outcome !== 'faulty').map(brief), [
    ['different', 'faultyRow', 'F1', '100', '70', 'EUR', false],
    ['different', 'faultyRow', 'F5', '80', '70', 'EUR', false],
  ]);
  const applied = await change(account, made.id, 'apply', { outcomes: ['different', 'missingHere', 'missingThere'] });
  assert.deepEqual(applied.job.result, { restated: 0, reported: 0, unmatched: 0, changed: 0 });
});

test('a file says how its amounts and dates are written, and dates without a time zone are of the account', async () => {
  const account = await service.newAccount();
  await service.control.query(`update accounts set time_zone = 'America/New_York' where id = $1`, [account.uuid]);
  await visit(account, 'd1');
  const at = (eventId: string, createdOn: string) => ({
    gclid: 'd1',
    eventId,
    value: 1234,
    currency: 'EUR',
    createdOn,
  });
  await report(
    account,
    at('D1', '2026-03-05T03:00:00Z'),
    at('D2', '2026-03-05T12:00:00Z'),
    at('D3', '2026-03-06T04:30:00Z'),
  );
  const read = async (query: string, ...rows: string[]) => {
    const { from, to, id } = await reconcile(
      account,
      `provider=csv&${query}`,
      ['order id;amount;currency;date', ...rows].join('\n'),
    );
    const lines = await linesOf(account, id);
    return [
      from,
      to,
      ...lines.map(({ outcome, reason, identifier, there, at }) => [outcome, reason, identifier, there, at]),
    ];
  };
  const DAY_OF_FILE = ['2026-03-05T05:00:00.000Z', '2026-03-06T05:00:00.000Z'];
  const missing = ['missingThere', null, 'D3', null, '2026-03-06T04:30:00.000Z'];
  // The whole day there, not that of UTC.
  assert.deepEqual(await read('', 'D2;1.234;EUR;2026-03-05', 'X;1,5;EUR;05.03.2026 10:00'), [
    ...DAY_OF_FILE,
    ['equal', null, 'D2', '1234', '2026-03-05T05:00:00.000Z'],
    ['missingHere', 'unknown', 'X', '1.5', '2026-03-05T15:00:00.000Z'],
    missing,
  ]);
  assert.deepEqual(
    await read('', 'D2;1,234;EUR;3/5/26 1:30 PM', 'X;2.50;EUR;Mar 5, 2026', 'Y;3;EUR;3/13/2026').then((all) =>
      all.slice(2, 5),
    ),
    [
      ['equal', null, 'D2', '1234', '2026-03-05T18:30:00.000Z'],
      ['missingHere', 'unknown', 'X', '2.5', '2026-03-05T05:00:00.000Z'],
      ['missingHere', 'unknown', 'Y', '3', '2026-03-13T04:00:00.000Z'],
    ],
  );
  assert.deepEqual(await read('timeZone=UTC', 'D2;1234;EUR;2026/3/5').then((all) => all[2]), [
    ...['equal', null, 'D2', '1234', '2026-03-05T00:00:00.000Z'],
  ]);
  assert.deepEqual(await read('', 'D2;1234;EUR;3/5/2026'), [
    ...[null, null],
    ['faulty', 'date_ambiguous', null, null, null],
  ]);
  assert.deepEqual(
    await read('dateOrder=monthFirst', 'D2;1234;EUR;3/5/2026').then((all) => all.slice(0, 2)),
    DAY_OF_FILE,
  );
  const refused = await send(account, 'provider=csv&timeZone=Mars', 'order id,amount\n1,2');
  assert.deepEqual([refused.status, refused.body.code], [400, 'time_zone_unknown']);
});

test('rows of one payment are one order, whatever they name and in whichever order; what is pending or sent is ignored', async () => {
  const account = await service.newAccount();
  await visit(account, 'y1');
  const item = (eventId: string, value: number) => ({ gclid: 'y1', eventId, value, currency: 'EUR' });
  await report(account, item('INV-1', 80), item('INV-2', 30), item('2001', 50), item('2002', 20), item('AI-1', 12));
  const outcomes = async (query: string, file: string, name?: string) => {
    const { id, ignored, faulty } = await reconcile(account, `${query}&from=2000-01-01&to=2000-01-02`, file, name);
    const lines = await linesOf(account, id);
    return [ignored, ...lines.map((line) => [line.outcome, line.identifier, line.there, line.rows]), faulty];
  };
  const german = [
    '"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Transaktionscode","Zugehöriger Transaktionscode","Rechnungsnummer"',
    '"26.01.2026","10:00:00","CET","A","Rückzahlung","Abgeschlossen","EUR","-20,00","0,00","-20,00","TX2","TX1",""',
    '"25.01.2026","10:00:00","Europe/Berlin","A","PayPal Express-Zahlung","Abgeschlossen","EUR","100,00","-3,00","97,00","TX1","","INV-1"',
    '"25.01.2026","10:00:00","Europe/Berlin","A","Warenkorbartikel","Abgeschlossen","EUR","100,00","0,00","100,00","TX1","","INV-1"',
    '"25.01.2026","11:00:00","Europe/Berlin","B","PayPal Express-Zahlung","Ausstehend","EUR","30,00","-1,00","29,00","TX3","","INV-2"',
    '"25.01.2026","12:00:00","Europe/Berlin","eBay","PayPal Express-Zahlung","Abgeschlossen","EUR","-64,18","0,00","-64,18","TX4","","EBAY"',
    '"25.01.2026","10:00:00","Europe/Berlin","A","PayPal Express-Zahlung","Abgeschlossen","EUR","100,00","-3,00","97,00","TX1","","INV-1"',
  ].join('\n');
  assert.deepEqual(await outcomes('provider=paypal', german), [
    3,
    ['faulty', null, null, [7]],
    ['equal', 'INV-1', '80', [2, 3]],
    1,
  ]);
  const stripe = [
    'id,Type,Source,Amount,Fee,Destination Platform Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Customer Facing Amount,Customer Facing Currency,Transfer,order_id (metadata),gclid (metadata)',
    'txn_1,charge,ch_1,60.00,1.00,,59.00,usd,2026-01-05 10:00,2026-01-07 00:00,,50.00,eur,po_1,2001,',
    'txn_2,charge,ch_2,25.00,1.00,,24.00,eur,2026-01-05 11:00,2026-01-07 00:00,,25.00,eur,po_1,2002,',
    'txn_3,charge,ch_3,25.00,1.00,,24.00,eur,2026-01-05 12:00,2026-01-07 00:00,,x,eur,po_1,2003,',
  ].join('\n');
  assert.deepEqual(await outcomes('provider=stripe', stripe), [
    0,
    ['faulty', null, null, [4]],
    ['equal', '2001', '50', [2]],
    ['different', '2002', '25', [3]],
    1,
  ]);
  const shopify = [
    'Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Payout ID,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency,VAT',
    '2026-01-05 10:00:00 +0100,charge,AI-1,visa,online,paid,2026/1/7,1,2026/1/7,$21.83,$1.52,$20.31,#c1,card,,,EUR,',
    '2026-01-06 10:00:00 +0100,refund,AI-1,visa,online,paid,2026/1/7,1,2026/1/7,-$9.83,$0.00,-$9.83,#c1,card,9.83,EUR,EUR,',
    '2026-01-06 10:00:00 +0100,chargeback_hold,AI-1,visa,online,paid,2026/1/7,1,2026/1/7,-$5.00,$0.00,-$5.00,#c1,card,,,EUR,',
  ].join('\n');
  assert.deepEqual(await outcomes('provider=shopify', shopify), [1, ['equal', 'AI-1', '12', [2, 3]], 0]);
  const json = JSON.stringify({
    data: [
      { id: 't1', amount: 500, currency: 'isk', type: 'charge', created: 1767348000, source: 'ch_8\u0000' },
      { id: 't2', amount: 80.5, currency: 'eur', type: 'charge', created: 1767348000, source: 'ch_9' },
      null,
    ],
  });
  assert.deepEqual(await outcomes('provider=stripe', json, 'b.json'), [
    0,
    ['faulty', null, null, [2]],
    ['faulty', null, null, [3]],
    ['missingHere', 'ch_8\ufffd', '5', [1]],
    2,
  ]);
  const ofApi = (code: string, id: string, value: string, more: object) => ({
    transaction_info: {
      ...{ transaction_id: id, transaction_event_code: code, transaction_status: 'S', ...more },
      transaction_initiation_date: '2026-01-25T10:00:00+0000',
      transaction_amount: { currency_code: 'EUR', value },
    },
  });
  const listed = JSON.stringify({
    transaction_details: [
      ofApi('T0006', 'TX1', '100.00', { invoice_id: 'INV-1' }),
      ofApi('T1107', 'TX2', '-20.00', { paypal_reference_id: 'TX1' }),
      ofApi('T0006', 'TX3', '30.00', { invoice_id: 'INV-2', transaction_status: 'P' }),
      ofApi('T1105', 'TX4', '30.00', { paypal_reference_id: 'TX1' }),
      ofApi('T0001', 'TX5', '-5.00', {}),
      ofApi('T0400', 'TX6', '-75.00', {}),
    ],
  });
  assert.deepEqual(await outcomes('provider=paypal', listed, 'p.json'), [4, ['equal', 'INV-1', '80', [1, 2]], 0]);
  const { status, error } = await reconcile(account, 'provider=paypal', 'Fecha,Bruto\n1,2');
  assert.deepEqual([status, error.code], ['failed', 'columns_missing']);
  const { error: ofOther } = await reconcile(
    account,
    'provider=stripe',
    'order,amount,currency,date\na,1,EUR,2026-01-02',
  );
  assert.match(ofOther.detail, / has: order, amount, currency, date\. Its columns are those of the provider `csv`\.$/);
});

test('what a row may be about is not missing there, if the row is invalid or several conversions of its click may be it', async () => {
  const account = await service.newAccount();
  for (const click of ['g1', 'g2', 'g3', 'g4']) await visit(account, click);
  const sale = (gclid: string, eventId: string, value: number) => ({ gclid, eventId, value, currency: 'EUR' });
  await report(account, sale('g1', 'G1', 10), sale('g1', 'G2', 20), sale('g2', 'G3', 30), sale('g3', 'G4', 40));
  await report(account, sale('g4', 'G5', 50));
  const rows = [',15,EUR,g1', ',x,EUR,g2', 'G4,x,EUR,', 'none,1,EUR,'].map((row) => `${row},${noon()}`);
  const { id } = await reconcile(account, 'provider=csv', ['order id,amount,currency,gclid,date', ...rows].join('\n'));
  const missing = await linesOf(account, id, 'missingThere');
  assert.deepEqual(
    missing.map(({ identifier }) => identifier),
    ['G5'],
  );
});

test('conversions are found by their IDs, not by reading all of an account that is newer than the statistics', async () => {
  const [old, account] = [await service.newAccount(), await service.newAccount()];
  const PREFIX = 'order'.repeat(20);
  const insert = (as: Account, count: number) =>
    db.query(
      `insert into conversions (account_id, id, event_id, value, currency, received_at, origin, updated_at)
       select $1, gen_random_uuid(), $3 || n, n, 'EUR', now() - n * interval '1 minute', 'report', now() from generate_series(1, $2::int) n`,
      // Long IDs make their index the larger one.
      [as.uuid, count, PREFIX],
    );
  await insert(old, 20_000);
  await db.query('analyze conversions');
  await insert(account, 1_500);
  const rows = Array.from({ length: 1_000 }, (_, i) => `${PREFIX}${i + 1},${i + 1},EUR`);
  const file = ['order id,amount,currency', ...rows].join('\n');
  const { id } = await reconcile(account, 'provider=csv', file);
  const key = parseId('rec', id);
  await db.query('update reconciliations set result = null where id = $1', [key]);
  await db.query(
    'insert into reconciliation_parts (account_id, reconciliation_id, number, bytes) values ($1, $2, 0, $3)',
    [account.uuid, key, Buffer.from(file)],
  );
  const reads: number[] = [];
  const counting = Object.assign(Object.create(db), {
    transaction: (run: (tx: Tx) => Promise<unknown>, options: object) =>
      db.transaction(async (tx) => {
        const result = await run(tx);
        const { rows } = await tx.query<{ count: number }>(
          `select (idx_tup_fetch + seq_tup_read)::int as count from pg_stat_xact_user_tables where relname = 'conversions'`,
        );
        reads.push(rows[0]?.count ?? 0);
        return result;
      }, options),
  });
  const plan = {
    accountId: account.uuid,
    reconciliationId: key ?? '',
    timeZone: 'UTC',
    maxRows: 5_000,
    now: clock.now,
  };
  const result = await compare(counting, service.sessionIds, plan, () => {});
  assert.equal(result?.outcomes.equal.count, 1_000);
  assert.ok(Math.max(...reads) >= 1_000 && Math.max(...reads) < 3_000, reads.join());
});
