import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  createClient,
  type EntryWhere,
  ExactNumber,
  type FieldFilter,
  HeadwaterError,
  isHeadwaterError,
  parseExact,
  readExport,
  waitForJob,
} from '@headwater/sdk';
import { listeningService } from './service.ts';

const service = await listeningService();

/** A fetch that carries every request out and loses the first answers, or gives others in their place. */
function faultyFetch(...faults: (Response | 'lost')[]) {
  const requests: { method: string; key: string | null }[] = [];
  const faulty: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    requests.push({ method: init?.method ?? 'GET', key: headers.get('idempotency-key') });
    const fault = faults.shift();
    if (fault instanceof Response) return fault;
    const answer = await fetch(input, init);
    if (fault === 'lost') throw new TypeError('the connection was reset');
    return answer;
  };
  return { faulty, requests };
}

const textField = { id: 'title', label: 'Title', type: 'text' as const };

describe('numbers', () => {
  it('keep all of their digits if they are to be exact, and are rounded otherwise', async () => {
    const account = await service.newAccount();
    const client = service.clientOf(account, { numbers: 'exact' });
    const { id: collectionId } = await client.createCollection({
      name: 'Players',
      fields: [textField, { id: 'data', label: 'Data', type: 'text', format: 'json' }],
    });
    const data = {
      id: new ExactNumber('76561198009194284'),
      deep: [{ n: new ExactNumber('-0.1234567890123456789') }],
      n: 1.5,
    };
    const { id: entryId } = await client.createEntry({ collectionId }, { values: { title: 'One', data } });
    const { values } = await client.getEntry({ collectionId, entryId });
    assert.deepEqual(values.data, data);
    assert.deepEqual([String(data.id), Number(data.id)], ['76561198009194284', 76561198009194290]);
    await client.updateEntry({ collectionId, entryId }, { values: { ...values, title: 'Two' } });
    const text = JSON.stringify((await client.listEntries({ collectionId })).entries[0]?.values);
    assert.match(text, /"id":76561198009194284[,}]/);
    assert.match(text, /-0\.1234567890123456789/);
    const rounded = await service.clientOf(account).getEntry({ collectionId, entryId });
    assert.equal((rounded.values.data as { id: unknown }).id, 76561198009194290);
  });

  it('are exact only where a double does not hold them, and never in texts', () => {
    const same = [
      '1',
      '-1.50',
      '1e3',
      '0.1',
      '0.30000000000000004',
      '9007199254740991',
      '100000000000000000000',
      '1.0000000000000000000',
      '1.5E-7',
      '-0',
    ];
    for (const source of same) assert.equal(parseExact(`[${source}]`)[0], Number(source), source);
    const kept = [
      '9007199254740993',
      '0.1234567890123456789',
      '1e400',
      '1e-400',
      '123456789012345678e-2',
      '-12345678901234567.89',
    ];
    for (const source of kept) {
      const parsed = parseExact(`{"a\\"12345678901234567891":${source},"b":"12345678901234567891"}`);
      assert.deepEqual(parsed, { 'a"12345678901234567891': new ExactNumber(source), b: '12345678901234567891' });
      assert.ok(JSON.stringify(parsed).includes(`:${source},`), source);
    }
    assert.throws(() => parseExact('{"a":12345678901234567891'), SyntaxError);
  });
});

describe('calls', () => {
  it('take parameters, then the body, and return the response', async () => {
    const account = await service.newAccount();
    const client = service.clientOf(account);
    const collection = await client.createCollection({ name: 'Pages', fields: [textField] });
    const { id: collectionId } = collection;
    const entry = await client.createEntry({ collectionId }, { values: { title: 'One' } });
    const changed = await client.updateEntry(
      { collectionId, entryId: entry.id },
      { values: { title: 'Two' }, version: 1 },
    );
    assert.deepEqual(changed.values, { title: 'Two' });
    assert.deepEqual(await client.getEntry({ collectionId, entryId: entry.id }), changed);
    assert.equal((await client.deleteEntry({ collectionId, entryId: entry.id })).status, 'deleted');
  });

  it('tell the status, headers and request ID of their responses, also of those that are refused', async () => {
    const account = await service.newAccount();
    const seen: string[] = [];
    const client = service.clientOf(account, { onResponse: ({ status }) => seen.push(String(status)) });
    let own: string | undefined;
    await client.getLimits({
      onResponse: ({ status, headers, requestId }) => {
        assert.deepEqual([status, headers.get('x-request-id')], [200, requestId]);
        own = requestId;
      },
    });
    assert.match(own ?? '', /^req_/);
    await assert.rejects(client.getFile({ assetId: 'ast_none' }), (error) => {
      assert.ok(isHeadwaterError(error, 'not_found'));
      assert.deepEqual(
        [error.headers?.get('x-request-id'), error.headers?.get('cache-control')],
        [error.requestId, 'no-store'],
      );
      return true;
    });
    assert.deepEqual(seen, ['200', '404']);
  });

  it('return one result for one conversion and a list for a list', async () => {
    const client = service.clientOf(await service.newAccount());
    const one = await client.reportConversion({ gclid: 'a', value: 1 });
    const many = await client.reportConversion([{ gclid: 'a' }, {}]);
    assert.equal(one.status, 'unmatched');
    assert.deepEqual(
      many.map(({ status }) => status),
      ['unmatched', 'failed'],
    );
  });

  it('serialize filters as the service parses them, including commas in values', async () => {
    const client = service.clientOf(await service.newAccount());
    const { id: collectionId } = await client.createCollection({ name: 'Words', fields: [textField] });
    for (const title of ['a,b', 'c\\d', 'e', 'f']) await client.createEntry({ collectionId }, { values: { title } });
    const titles = async (filter: object) =>
      (await client.listEntries({ collectionId, filter, sort: 'title:asc' }).all()).map(({ values }) => values.title);
    assert.deepEqual(await titles({ title: { in: ['a,b', 'c\\d'] } }), ['a,b', 'c\\d']);
    assert.deepEqual(await titles({ title: { ne: 'e', gt: 'b' } }), ['c\\d', 'f']);
  });

  it('send a publishable key in the body without a token', async () => {
    const account = await service.newAccount();
    const seen: (string | null)[] = [];
    const client = service.clientOf(account, {
      fetch: (input, init) => {
        seen.push(new Headers(init?.headers).get('x-api-key'));
        return fetch(input, init);
      },
    });
    const { success } = await client.recordEvent({ api_key: account.apiKey, event: 'signup' });
    assert.deepEqual([success, seen], [true, [null]]);
  });

  it('refuse an invalid base URL and a missing path parameter', async () => {
    assert.throws(() => createClient({ baseUrl: 'localhost' }), TypeError);
    const client = service.clientOf(await service.newAccount());
    await assert.rejects(async () => client.getCollection({ collectionId: '' }), TypeError);
  });
});

describe('errors', () => {
  it('contain the status, the code, every error and the request id', async () => {
    const client = service.clientOf(await service.newAccount());
    const error = await client.createCollection({ name: ' ', fields: [{ ...textField, label: '' }] }).catch((e) => e);
    assert(error instanceof HeadwaterError);
    assert.deepEqual([error.status, error.code], [400, error.errors[0]?.code]);
    assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ['/fields/0/label', '/name']);
    assert.match(error.requestId ?? '', /^req_/);
    assert(isHeadwaterError(error, error.code) && !isHeadwaterError(error, 'not_found'));
  });

  it('distinguish a revoked token from an unreachable service', async () => {
    await assert.rejects(createClient({ baseUrl: service.url, token: 'hw_sk_wrong' }).getLimits(), {
      status: 401,
      code: 'unauthorized',
    });
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'x', retry: { attempts: 0 } });
    await assert.rejects(nowhere.getLimits(), { status: 0, code: 'unreachable' });
  });

  it('are created from the status if a proxy responds with a page', async () => {
    const { faulty } = faultyFetch(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const client = service.clientOf(await service.newAccount(), { fetch: faulty, retry: { attempts: 0 } });
    await assert.rejects(client.getLimits(), { status: 502, code: 'http_502' });
  });

  it('end a call after its timeout', async () => {
    const never: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const client = service.clientOf(await service.newAccount(), { fetch: never, timeoutMs: 5, retry: { attempts: 0 } });
    await assert.rejects(client.getLimits(), { code: 'timeout' });
  });

  it('pass on the reason of an abort', async () => {
    const client = service.clientOf(await service.newAccount());
    const reason = new Error('the user left');
    await assert.rejects(client.getLimits({ signal: AbortSignal.abort(reason) }), reason);
  });
});

describe('retries', () => {
  it('create a resource once if the first response was lost', async () => {
    const account = await service.newAccount();
    const { faulty, requests } = faultyFetch('lost', 'lost');
    const made = await service.clientOf(account, { fetch: faulty }).createCollection({ name: 'Once' });
    const all = await service.clientOf(account).listCollections().all();
    assert.deepEqual(
      all.map(({ id }) => id),
      [made.id],
    );
    assert.equal(requests.length, 3);
    assert.equal(new Set(requests.map(({ key }) => key)).size, 1);
  });

  it('send no key if the request itself may be repeated', async () => {
    const account = await service.newAccount();
    const { faulty, requests } = faultyFetch('lost');
    const items = [{ visit: { url: 'https://shop.example/', visitId: 'one' } }];
    const body = { api_key: account.token, items };
    const { results } = await service.clientOf(account, { fetch: faulty }).recordBatch(body, { idempotencyKey: null });
    assert.deepEqual([results.length, requests.map(({ key }) => key)], [1, [null, null]]);
  });

  it('do not repeat a PATCH that may have taken effect', async () => {
    const account = await service.newAccount();
    const { id: collectionId } = await service.clientOf(account).createCollection({ name: 'Changed' });
    const { faulty, requests } = faultyFetch('lost');
    const client = service.clientOf(account, { fetch: faulty });
    await assert.rejects(client.updateCollection({ collectionId }, { name: 'New' }), { code: 'unreachable' });
    assert.equal(requests.length, 1);
  });

  it('do not repeat a conversion reported by GET', async () => {
    const { faulty, requests } = faultyFetch('lost');
    const client = service.clientOf(await service.newAccount(), { fetch: faulty });
    await assert.rejects(client.reportConversionByQuery({ gclid: 'a' }), { code: 'unreachable' });
    assert.equal(requests.length, 1);
  });

  it('repeat every rate-limited request after its Retry-After', async () => {
    const account = await service.newAccount();
    const { id: collectionId } = await service.clientOf(account).createCollection({ name: 'Rated' });
    const { faulty, requests } = faultyFetch(new Response('{}', { status: 429, headers: { 'retry-after': '1' } }));
    const started = performance.now();
    await service.clientOf(account, { fetch: faulty }).updateCollection({ collectionId }, { name: 'New' });
    assert.equal(requests.length, 2);
    assert(performance.now() - started >= 995);
  });

  it('stop if Retry-After is longer than the maximum delay', async () => {
    const { faulty, requests } = faultyFetch(new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }));
    const client = service.clientOf(await service.newAccount(), { fetch: faulty });
    await assert.rejects(client.getLimits(), { status: 429 });
    assert.equal(requests.length, 1);
  });
});

describe('lists', () => {
  it('take conditions as filter and as where, of private and of public entries', async () => {
    const account = await service.newAccount();
    const client = service.clientOf(account);
    const price = { id: 'price', label: 'Price', type: 'number' as const };
    const { id: collectionId } = await client.createCollection({
      ...{ name: 'Shoes', publishing: true, public: true },
      fields: [textField, price],
    });
    for (const [title, value] of [
      ['Cheap', 5],
      ['Fair, solid', 50],
      ['Dear', 500],
    ] as const) {
      const { id: entryId } = await client.createEntry({ collectionId }, { values: { title, price: value } });
      await client.publishEntry({ collectionId, entryId });
    }
    for (const list of [client.listEntries, client.listPublicEntries]) {
      const titles = async (query: { filter?: Record<string, FieldFilter>; where?: string | EntryWhere }) =>
        (await list({ collectionId, sort: ['price:asc'], ...query }).all()).map(({ values }) => values.title);
      assert.deepEqual(await titles({ filter: { price: { gte: 50, lt: 500 } } }), ['Fair, solid']);
      assert.deepEqual(await titles({ filter: { price: { between: [5, 50] } } }), ['Cheap', 'Fair, solid']);
      assert.deepEqual(await titles({ filter: { title: { in: ['Fair, solid', 'Dear'] } } }), ['Fair, solid', 'Dear']);
      const where = { or: [{ price: { lt: 10 } }, { title: { startsWith: 'de' } }] };
      assert.deepEqual(await titles({ where }), ['Cheap', 'Dear']);
      assert.deepEqual(await titles({ where: JSON.stringify(where), filter: { price: { gt: 10 } } }), ['Dear']);
    }
  });

  it('return the first page when awaited, and every item once when iterated', async () => {
    const client = service.clientOf(await service.newAccount());
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await client.createCollection({ name });
    const listing = client.listCollections({ pageSize: 2 });
    const first = await listing;
    assert.equal(first.collections.length, 2);
    assert.notEqual(first.nextPageToken, null);
    const seen: string[] = [];
    for await (const { name } of listing) seen.push(name);
    assert.deepEqual(seen, names);
    assert.equal((await listing.all(3)).length, 3);
  });

  it('load no page that is not read', async () => {
    const account = await service.newAccount();
    for (const name of ['a', 'b', 'c']) await service.clientOf(account).createCollection({ name });
    const { faulty, requests } = faultyFetch();
    for await (const _ of service.clientOf(account, { fetch: faulty }).listCollections({ pageSize: 1 })) break;
    assert.equal(requests.length, 1);
  });
});

describe('uploads', () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

  it('store a file under its name and report progress', async () => {
    const client = service.clientOf(await service.newAccount());
    const file = new File([gif], 'dot.gif', { type: 'image/gif' });
    const shares: number[] = [];
    const asset = await client.uploadFile({ file }, { onProgress: (share) => shares.push(share) });
    assert.deepEqual([asset.type, asset.name, asset.width], ['image', 'dot.gif', 1]);
    assert.equal(shares.at(-1), 1);
  });

  it('store a retried file once', async () => {
    const account = await service.newAccount();
    const { faulty } = faultyFetch('lost');
    const file = new File([gif], 'dot.gif');
    await service.clientOf(account, { fetch: faulty }).uploadFile({ file }, { onProgress: () => {} });
    const { rows } = await service.db.query('select count(*)::int as files from assets where account_id = $1', [
      account.uuid,
    ]);
    assert.deepEqual(rows, [{ files: 1 }]);
  });
});

describe('jobs', () => {
  before(() => {
    for (const worker of service.workers) worker.start();
  });

  it('are polled until they are completed', async () => {
    const client = service.clientOf(await service.newAccount());
    const looked: string[] = [];
    const job = await waitForJob(client, await client.startExport({ dataset: 'leads', format: 'csv' }), {
      onProgress: ({ status }) => looked.push(status),
    });
    assert.equal(job.status, 'completed');
    assert.equal(looked.at(-1), 'completed');
    const [dataset, format]: ['leads', 'csv'] = [job.params.dataset, job.result.format];
    const { url, rows, bytes }: { url: string | null; rows: number; bytes: number } = job.result;
    assert.deepEqual([dataset, format, rows, bytes > 0, typeof url], ['leads', 'csv', 0, true, 'string']);
  });

  it('of exports are read row by row, with the types of their dataset', async () => {
    const account = await service.newAccount();
    const client = service.clientOf(account);
    const emails = Array.from({ length: 300 }, (_, i) => `Ada${i}@shop.example`);
    for (const email of emails) {
      const body = { api_key: account.apiKey, event: 'signup', properties: { email } };
      assert.equal((await service.call('POST /v1/events', { body })).status, 200);
    }
    const job = await waitForJob(client, await client.startExport({ dataset: 'leads', format: 'ndjson' }));
    const local: typeof fetch = (url, init) => fetch(String(url).replace('http://headwater.test', service.url), init);
    const found: (string | null)[] = [];
    for await (const { id, email, firstSeenAt } of readExport(job, { fetch: local })) {
      assert.match(`${id} ${firstSeenAt}`, /^led_\w+ 2\d{3}-.*Z$/);
      found.push(email);
    }
    assert.deepEqual(found.sort(), emails.map((email) => email.toLowerCase()).sort());
    const gone = { ...job, result: { ...job.result, url: null } };
    await assert.rejects(readExport(gone).next(), { status: 404 });
  });

  it('throw their error if they fail', async () => {
    const failed = { id: 'job_1', status: 'failed', error: { code: 'storage_full', detail: 'No space.' } };
    const client = { getJob: async () => failed as never };
    await assert.rejects(waitForJob(client, 'job_1'), { code: 'storage_full', message: 'No space.' });
  });
});
