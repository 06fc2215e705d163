/** Whatever waits for too long, in any queue, is told: by a metric, in /health, in the API and by mail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../test/harness.ts';
import { createTestUser } from '../../test/users.ts';
import { mailBox } from '../mail/queue-mails.ts';
import { newUuid } from '../shared/ids.ts';
import { QueueWatch } from './index.ts';

const mail = { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'headwater@example.com' };
const service = await testService({ ...mail, METRICS_TOKEN: 'metrics-token-of-this-test' });
const watches = service.workers.filter((worker) => worker instanceof QueueWatch);
const queues = watches.flatMap((watch) => [...watch.queues]);
const check = () => Promise.all(watches.map((watch) => watch.check()));

/** Tables whose rows have a due time, and are no queues of work that someone waits for. */
const NOT_QUEUES: Record<string, string> = {
  account_moves: 'the command that moves the account waits for it',
};

const overdue = async (): Promise<Record<string, number>> =>
  (await service.call('GET /health')).body.overdueSeconds ?? {};

const MINUTES = (count: number) => new Date(service.clock.now - count * 60_000);

/** Puts something into the queue that has been due since a time. */
const FILL: Record<string, (account: Account, at: Date) => Promise<unknown>> = {
  async destinations(account, at) {
    const body = {
      platform: 'outbrain',
      name: 'Outbrain',
      credentials: {},
      mapping: [{ event: '*', target: 'Purchase' }],
      consent: 'ignore',
      mode: 'live',
    };
    const { id } = (await service.call('POST /v1/destinations', { as: account, body })).body;
    assert.ok(id);
    await service.db.query(
      `insert into destination_queue (account_id, destination_id, conversion_id, version, is_first, queued_at, due_at)
       select account_id, id, $2, 1, true, $3, $3 from destinations where account_id = $1`,
      [account.uuid, newUuid(service.clock.now), at],
    );
  },
  async webhooks(account, at) {
    const body = { url: 'https://hooks.example/in', events: ['lead.created'] };
    await service.call('POST /v1/webhooks', { as: account, body });
    await service.db.query(
      `insert into webhook_queue (account_id, endpoint_id, message_id, due_at, attempts, tries)
       select account_id, id, $2, $3, 0, 0 from webhook_endpoints where account_id = $1`,
      [account.uuid, newUuid(service.clock.now), at],
    );
  },
  changes: (account, at) =>
    service.db.query(`insert into outbox (account_id, topic, resources, at) values ($1, 'lead.created', '{}', $2)`, [
      account.uuid,
      at,
    ]),
  jobs: (account, at) => insertJob(account, 'export', at),
  imports: (account, at) => insertJob(account, 'undo_conversion_import', at),
  releases: (account, at) =>
    service.db.query(
      `insert into releases (account_id, id, name, status, at, due_at, updated_at) values ($1, $2, 'Spring', 'scheduled', $3, $3, $3)`,
      [account.uuid, newUuid(service.clock.now), at],
    ),
  mail: (_, at) => service.db.query(`insert into mails (id, sealed, due_at) values ($1, '', $2)`, [newUuid(0), at]),
};

const insertJob = (account: Account, type: string, at: Date) =>
  service.db.query(
    `insert into jobs (account_id, id, type, params, status, due_at, created_at) values ($1, $2, $3, '{}', 'queued', $4, $4)`,
    [account.uuid, newUuid(service.clock.now), type, at],
  );

test('every table of work that is due is in a queue that is watched', async () => {
  const { rows } = await service.db.query(
    `select distinct table_name from information_schema.columns
     where table_schema = current_schema() and (column_name in ('due_at', 'retry_at', 'next_attempt_at', 'run_at'))`,
  );
  const watched = new Set(queues.flatMap(({ tables }) => tables));
  for (const { table_name } of rows) {
    assert.ok(watched.has(table_name) || table_name in NOT_QUEUES, `${table_name} belongs to no queue that is watched`);
  }
  for (const name of ['destinations', 'webhooks', 'jobs', 'imports', 'unmatched', 'releases', 'mail']) {
    assert.ok(
      queues.some((queue) => queue.name === name),
      name,
    );
  }
});

test('what is overdue in a queue raises one alarm and one mail to the owners, and none once it was done', async () => {
  for (const [name, fill] of Object.entries(FILL)) {
    const account = await service.newAccount();
    await createTestUser(service, account);
    const mails = async () => Number((await service.control.query('select count(*) from mails')).rows[0].count);
    const before = await mails();
    await fill(account, MINUTES(14));
    await check();
    assert.equal((await overdue())[name], undefined, `${name} after 14 minutes`);
    await fill(account, MINUTES(20));
    await check();
    await check();
    // Those of the installation go to its operators.
    if (name !== 'mail') assert.equal((await mails()) - before, 1, `mails about ${name}`);
    assert.ok(((await overdue())[name] ?? 0) >= 20 * 60, name);
    const list = async () => (await service.call('GET /v1/queue-alarms', { as: account })).body.alarms;
    if (name !== 'mail') {
      const alarms = await list();
      assert.deepEqual(
        alarms.map(({ queue }: { queue: string }) => queue),
        [name],
      );
    }
    const headers = { authorization: 'Bearer metrics-token-of-this-test' };
    const { body } = await service.call('GET /metrics', { headers });
    assert.match(body, new RegExp(`headwater_queue_overdue_seconds\\{queue="${name}"\\} 1[2-9]\\d\\d`));
    for (const table of queues.flatMap((queue) => (queue.name === name ? queue.tables : []))) {
      await service.db.query(`delete from ${table}`);
    }
    await check();
    assert.equal((await overdue())[name], undefined, name);
    assert.deepEqual(await list(), [], name);
  }
});

test('each owner reads the mail in the language they chose', async () => {
  const account = await service.newAccount();
  const languages = ['de', 'en'];
  for (const language of languages) {
    const { email } = await createTestUser(service, account);
    await service.control.query('update users set language = $1 where email = $2', [language, email]);
  }
  await service.control.query('delete from mails');
  await FILL.webhooks?.(account, MINUTES(20));
  await check();
  const { rows } = await service.control.query('select id, sealed from mails order by id');
  const box = mailBox(service.secret);
  const mails = rows.map(({ id, sealed }) => JSON.parse(box.open(sealed, id).toString()));
  const about = (words: string) => mails.filter(({ subject }) => subject.endsWith(words)).length;
  assert.deepEqual(
    [about(': Zustellungen von Webhooks: wartet zu lange'), about(': Webhook deliveries wait for too long')],
    [1, 1],
  );
  assert.match(mails.find(({ subject }) => subject.includes('Zustellungen')).text, /: seit 20 Minuten fällig\n/);
});
