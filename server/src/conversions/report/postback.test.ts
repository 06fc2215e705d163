import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { createKey } from '../../accounts/index.ts';
import { LateMatcher } from '../matching/late-matcher.ts';

const service = await testService();
const { call, db, clock } = service;
const URL = '/v1/analytics/report-conversion';

async function visit(account: Account, query: string) {
  const url = `https://shop.test/?${query}`;
  return (await call('POST /v1/visits', { body: { api_key: account.token, url } })).body;
}

const postback = (account: Account, query: string) => call(`GET ${URL}?${query}`, { as: account });

async function conversions(account: Account) {
  const { rows } = await db.query(
    'select event, event_id, value, currency, created_on from conversions where account_id = $1 order by id',
    [account.uuid],
  );
  return rows;
}

test('in a postback every empty parameter counts as absent, except an empty value', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const { status, body } = await postback(account, 'gclid=g1&gbraid=&hash=&event=&createdOn=&eventId=&currency=');
  assert.equal(status, 200);
  assert.deepEqual(body, { _id: body._id, reported: true, status: 'reported' });
  assert.equal((await postback(account, 'gclid=g1&value=')).body.code, 'value_invalid');
});

test('unfilled macros and the texts of missing values count as absent', async () => {
  const account = await service.newAccount();
  const macros = ['{gclid}', '{{gclid}}', '[gclid]', '__GCLID__', '%%GCLID%%', `\${gclid}`, 'null', 'undefined'];
  for (const macro of macros) {
    const query = new URLSearchParams({ gclid: macro, fbclid: 'f1' });
    await visit(account, String(query));
    assert.equal((await postback(account, String(query))).body.status, 'reported', macro);
    query.delete('fbclid');
    assert.equal((await postback(account, String(query))).body.code, 'identifier_missing', macro);
    assert.equal((await call(`POST ${URL}`, { as: account, body: { gclid: macro } })).body.code, 'identifier_missing');
  }
  const { rows } = await db.query(`select distinct click_ids from sessions where account_id = $1`, [account.uuid]);
  assert.deepEqual(rows, [{ click_ids: { fbclid: 'f1' } }]);
  await visit(account, 'fbclid=f2&utm_source={source}&utm_campaign=real');
  const [session] = (
    await db.query(
      `select source, campaign from sessions where account_id = $1 and click_ids ? 'fbclid'
      order by started_at desc, number desc limit 1`,
      [account.uuid],
    )
  ).rows;
  assert.deepEqual(session, { source: 'facebook', campaign: 'real' });
  const values = await postback(account, 'fbclid=f2&value={payout}&currency=[currency]&eventId={txid}&event=__EVENT__');
  assert.equal(values.body.status, 'reported');
  assert.deepEqual((await conversions(account)).at(-1), {
    ...(await conversions(account)).at(-1),
    event: 'conversion',
    event_id: null,
    value: null,
    currency: null,
  });
});

test('a + that the query turned into a space is read in createdOn', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const { body } = await postback(account, 'gclid=g1&createdOn=2026-01-01T08:00:00+02:00');
  assert.equal(body.reason, undefined);
  assert.deepEqual((await conversions(account))[0].created_on, new Date('2026-01-01T06:00:00Z'));
});

test('a parameter that is repeated with the same value counts once', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const { body } = await postback(account, 'gclid=g1&gclid=g1&value=5&value=5&currency=EUR&currency=EUR');
  assert.equal(body.status, 'reported');
  assert.deepEqual([(await conversions(account))[0].value, (await conversions(account))[0].currency], ['5', 'EUR']);
  assert.equal((await postback(account, 'gclid=g1&gclid=g2')).body.code, 'identifier_conflict');
  const { body: refused } = await postback(account, 'gclid=g1&value=5&Value=6');
  assert.deepEqual(
    [refused.code, refused.detail],
    ['value_invalid', '`value` is repeated with different values. Send it once.'],
  );
  assert.match((await postback(account, 'gclid=g1&eventId=5&eventId=6')).body.detail, /`eventId` is repeated/);
});

test('names ignore case and the amp; of HTML, and what resembles a parameter is named', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const { token: key } = await createKey(service.control, account.id, 'postback', 'network');
  const escaped = `amp;KEY=${key}&amp;GCLID=g1&amp;value=3&EVENTID=x&amp;amp;currency=eur&amp;extra=1&Conversion=2`;
  assert.deepEqual((await call(`GET ${URL}?${escaped}`)).body.status, 'reported');
  const again = await postback(account, 'gclid=g1&VALUE=4&amp;eventid=x');
  assert.equal(again.body.reason, undefined);
  assert.deepEqual(
    (await conversions(account)).map(({ event_id, value, currency }) => [event_id, value, currency]),
    [['x', '4', 'EUR']],
  );
  const near = await postback(account, 'gclid=g1&event_id=y&amp;vaule=5&createdOn=whenever&utm_source=s&aff_sub=1');
  assert.equal(near.body.status, 'reported');
  assert.match(
    near.body.reason,
    /^`createdOn` is unreadable.* `event_id` was ignored. Perhaps you meant `eventId`. `amp;vaule` was ignored. Perhaps you meant `value`.$/,
  );
  const late = await postback(account, 'gclid=late&event_id=y&createdOn=2026-01-01');
  assert.match(late.body.reason, /^`event_id` was ignored/);
  assert.match((await postback(account, 'gclidd=g1')).body.detail, /Perhaps you meant `gclid`/);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = await call(`POST ${URL}`, { as: account, body: 'gclid=g1&event_id=z&EventID=f', headers: form });
  assert.match(sent.body.reason, /`event_id` was ignored/);
  assert.equal((await conversions(account)).at(-1)?.event_id, 'f');
});

test('unmatched postbacks at different times stay two, whatever else is unknown in them', async () => {
  const account = await service.newAccount();
  for (const day of ['01', '02', '02']) await postback(account, `gclid=late&event_id=y&createdOn=2026-01-${day}`);
  const { body } = await call('GET /v1/conversions/unmatched', { as: account });
  assert.equal(body.conversions.length, 2);
});

test('numbers are accepted for click ids and eventId, as their decimal text', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=4711');
  const items = [
    { gclid: 4711, eventId: 12, value: 1 },
    { gclid: '4711', eventId: '12', value: 2 },
  ];
  const { body } = await call(`POST ${URL}`, { as: account, body: items });
  assert.equal(body[0]._id, body[1]._id);
  assert.deepEqual(
    (await conversions(account)).map(({ event_id, value }) => [event_id, value]),
    [['12', '2']],
  );
});

test('a form body is read like a postback', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const send = (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return call(`POST ${URL}`, { as: account, body, headers });
  };
  const { status, body } = await send('gclid=g1&gbraid=&value=7.50&currency=eur&eventId=f-1&extra[plan]=pro');
  assert.equal(status, 200);
  assert.equal(body.status, 'reported');
  const [row] = await conversions(account);
  assert.deepEqual([row.event_id, row.value, row.currency], ['f-1', '7.50', 'EUR']);
  assert.equal((await send('gclid=g1&value=')).body.code, 'value_invalid');
  assert.equal((await send('')).body.code, 'identifier_missing');
  assert.equal((await send('gclid=%00')).body.status, 'unmatched');
});

test('identical unmatched reports without an eventId are one report', async () => {
  const account = await service.newAccount();
  const send = (body: unknown) => call(`POST ${URL}`, { as: account, body });
  const item = { gclid: 'late', value: 5, currency: 'EUR', createdOn: 'whenever', extra: { a: 1 } };
  await Promise.all([send(item), send(item), send([item, item])]);
  clock.now += 1000;
  await send(item);
  for (const other of [
    { value: 6 },
    { currency: 'USD' },
    { event: 'x' },
    { extra: { a: 2 } },
    { createdOn: '2026-01-01' },
  ]) {
    await send({ ...item, ...other });
  }
  const { body } = await call('GET /v1/conversions/unmatched', { as: account });
  assert.equal(body.conversions.length, 6);
  await visit(account, 'gclid=late');
  await new LateMatcher({ ...service, clock: () => clock.now, log: service.app.log }).sweep();
  assert.equal((await conversions(account)).length, 6);
});
