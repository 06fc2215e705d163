import sharp from 'sharp';
import { filePart } from '../../test/furnished-account.ts';
import { fill, get, JSON_BODY, many, post } from '../hostile/attack.ts';
import { FILES, svg } from '../hostile/uploads.ts';
import type { Sent } from '../http-client.ts';
import { type Aggressor, PARTS, UNIQUE } from './aggressor.ts';

/** What one account does to the service, as much of it as 64 clients can. */
export interface Attack {
  name: string;
  prepare(at: Aggressor): Promise<Sent[]> | Sent[];
  /** After so long a client gives up and sends its next request. */
  patienceMs?: number;
}

const upload = ({ token }: Aggressor, path: string, name: string, content: Buffer): Sent => {
  const { payload, headers } = filePart('file', name, content);
  return { method: 'POST', path, headers: { ...token, ...headers }, body: payload };
};

const PERIOD = { from: '2026-01-01', to: '2026-12-31' };
const entriesOf = ({ account }: Aggressor) => `/v1/cms/collections/${account.collectionId}/entries`;

export const ATTACKS: readonly Attack[] = [
  {
    name: 'public queries with 20 × contains in long texts',
    async prepare(at) {
      const { id } = await at.texts();
      const path = `/v1/content/${id}/query`;
      const and = many(20, (i) => ({ [`t${i % PARTS}`]: { contains: 'end' } }));
      const or = many(20, (i) => ({ [`t${i % PARTS}`]: { contains: `text ${UNIQUE} ${i}` } }));
      return [{ and }, { or }].map((where) => post(path, { where }, at.token));
    },
  },
  {
    name: 'groups of everything',
    async prepare(at) {
      const path = `/v1/cms/collections/${await at.rows()}/entries/aggregate`;
      const measures = { n: { count: true }, average: { avg: 'count' }, titles: { countDistinct: 'title' } };
      return [post(path, { groupBy: ['title', 'count'], measures, having: { n: { gte: 0 } } }, at.token)];
    },
  },
  {
    name: 'references of references',
    async prepare(at) {
      const id = await at.rows();
      const path = `/v1/cms/collections/${id}/entries/query`;
      const join = { before: { collection: id, field: 'next', limit: 20 } };
      return [
        post(path, { pageSize: 80, expand: 'next.next.next', where: { count: { gte: 5 } } }, at.token),
        post(
          path,
          { pageSize: 100, expand: 'next.next', join, where: { next: { some: { count: { gte: 1 } } } } },
          at.token,
        ),
      ];
    },
  },
  {
    name: 'collections of 200 patterns',
    prepare: (at) =>
      ['(\\pL{1,50}){1,20}', '\\pL+', '[a-z]{1,1000}', '(a|b|c){1,500}'].map((pattern) =>
        post(
          '/v1/cms/collections',
          {
            name: 'Patterns',
            fields: many(200, (i) => ({
              id: `f${i}`,
              label: 'x',
              type: 'text',
              validation: { pattern: `${pattern}${i}` },
            })),
          },
          at.token,
        ),
      ),
  },
  {
    name: 'imports of large CSV files',
    async prepare(at) {
      const path = `/v1/cms/collections/${at.account.collectionId}/imports`;
      const csv = Buffer.from(`id,title\r\n${many(100_000, (i) => `,row ${i} of a large file\r\n`).join('')}`);
      const sent = upload(at, path, 'large.csv', csv);
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) {
        ids.push((await at.ask(`POST ${path}`, sent.body, { headers: sent.headers ?? {} })).id);
      }
      const mapping = { columns: [null, { field: 'title' }], idColumn: 0, keyField: null, emptyCells: 'keep' };
      const full = { ...mapping, decimal: '.', dateOrder: 'ymd', timeZone: 'UTC' };
      return [
        sent,
        ...ids.map((id) => post(`${path}/${id}/dry-run`, full, at.token)),
        ...ids.map((id) => post(`${path}/${id}/start`, {}, at.token)),
      ];
    },
  },
  {
    name: 'exports of everything',
    async prepare(at) {
      const id = await at.rows();
      return [
        post(`/v1/cms/collections/${id}/export`, { format: 'csv' }, at.token),
        ...['visits', 'events', 'conversions'].map((dataset) =>
          post('/v1/analytics/export', { dataset, format: 'parquet' }, at.token),
        ),
      ];
    },
  },
  {
    name: 'uploads of hostile media',
    prepare: (at) => [
      ...['a PNG of 100 megapixels', 'a GIF of many frames', 'a PNG with compressed texts that expand'].map((name) =>
        upload(at, '/v1/files/upload', 'a.bin', FILES[name]?.() ?? Buffer.alloc(1)),
      ),
      upload(at, '/v1/files/upload', 'a.svg', Buffer.from(svg(fill('<g>', 600_000) + fill('</g>', 800_000)))),
    ],
  },
  {
    name: 'sign-ins by wrong passwords',
    prepare: ({ account }) => {
      const headers = { origin: 'http://headwater.test', host: 'headwater.test', 'sec-fetch-site': 'same-origin' };
      return [`nobody-${UNIQUE}@people.example`, account.owner.email].map((email) =>
        post('/auth/sign-in', { email, password: `wrong password ${UNIQUE}` }, headers),
      );
    },
  },
  {
    name: 'webhooks to a slow receiver',
    async prepare(at) {
      const url = await at.slow();
      for (let i = 0; i < 5; i++) await at.ask('POST /v1/webhooks', { url: `${url}/${i}`, events: ['event.recorded'] });
      const item = { event: { event: 'x', properties: { note: fill('text ', 500) } } };
      return [post('/v1/batch', { api_key: at.account.apiKey, items: many(100, () => item) })];
    },
  },
  {
    name: 'batches of 1,000 creates',
    prepare: (at) => {
      const values = { title: `Row ${UNIQUE}`, count: 5, tags: ['a', 'b'], seo: { text: 'some words' } };
      const operation = { op: 'create', collection: at.account.collectionId, values };
      return [post('/v1/cms/batch', { operations: many(1_000, () => operation) }, at.token)];
    },
  },
  {
    name: 'changes of all entries at once',
    async prepare(at) {
      const path = `/v1/cms/collections/${await at.rows()}/entries/update-many`;
      return [
        post(path, { where: { count: { lt: 40 } }, values: { count: 1 } }, at.token),
        post(path, { where: {}, values: { title: `Changed ${UNIQUE}` } }, at.token),
      ];
    },
  },
  {
    name: 'publishing 20 entries of 900 kB',
    async prepare(at) {
      const { id, entryIds } = await at.texts();
      const body = { entryIds: entryIds.slice(0, 20) };
      return ['unpublish', 'publish'].map((verb) => post(`/v1/cms/collections/${id}/${verb}`, body, at.token));
    },
  },
  {
    name: 'GraphQL at its limit of costs',
    async prepare(at) {
      await at.rows();
      const nested = 'items { title next(first: 7) { title next(first: 6) { title } } }';
      const fields = many(
        1,
        (i) => `f${i}: rows(first: 100, where: { count: { gte: ${UNIQUE} } }) { ${nested} total }`,
      );
      const flat = many(
        20,
        (i) => `f${i}: rows(first: 50, where: { title: { contains: "${i}" } }) { items { title } total }`,
      );
      return [fields, flat].map((each) => post('/v1/graphql', { query: `{ ${each.join(' ')} }` }, at.token));
    },
  },
  {
    name: 'conversion of rich text',
    async prepare(at) {
      const id = await at.rows();
      return ['html', 'markdown'].map((format) =>
        get(`/v1/content/${id}?richtext=${format}&pageSize=100&filter%5Bcount%5D%5Bgte%5D=-${UNIQUE}`, at.token),
      );
    },
  },
  {
    name: 'search',
    async prepare(at) {
      const { id } = await at.texts();
      return [id, await at.rows()].map((each) =>
        get(`/v1/content/${each}?q=words%20${UNIQUE}&sort=relevance&count=exact`, at.token),
      );
    },
  },
  {
    name: 'reports of a year',
    prepare: (at) => [
      post(
        '/v1/analytics/funnel',
        { ...PERIOD, by: 'visitor', steps: many(8, (i) => (i % 2 ? { event: `e${i}` } : { page: `/${UNIQUE}` })) },
        at.token,
      ),
      ...['landingPage', 'campaign'].map((by) =>
        get(`/v1/analytics/roas?from=${PERIOD.from}&to=${PERIOD.to}&by=${by}&curves=true`, at.token),
      ),
      get(`/v1/analytics/breakdown?from=${PERIOD.from}&to=${PERIOD.to}&by=source,page,event&limit=100`, at.token),
    ],
  },
  {
    name: 'sales shared among the clicks of one visitor',
    async prepare(at) {
      await at.sales();
      return ['first', 'linear', 'position', 'timeDecay'].map((model) =>
        get(`/v1/analytics/roas?from=${PERIOD.from}&to=${PERIOD.to}&by=campaign&model=${model}`, at.token),
      );
    },
  },
  {
    name: 'one conversion reported again and again',
    async prepare(at) {
      await at.sales();
      const rows = many(100, (i) => ({ ...{ gclid: 'sale0', eventId: `again${i % 3}` }, value: i }));
      const { id } = await at.ask('POST /v1/conversions/imports', { name: 'again' });
      const known = many(1_000, (i) => ({ ...rows[i % 3], knownAt: new Date(Date.now() - i * 60_000).toISOString() }));
      for (let i = 0; i < 10; i++) await at.ask(`POST /v1/conversions/imports/${id}/reports`, known);
      return [post('/v1/analytics/report-conversion', rows, at.token)];
    },
  },
  {
    name: 'the feed of changes, by streams',
    async prepare(at) {
      await at.texts();
      const { account, token } = at;
      return [
        get('/v1/content/changes?since=0', { ...token, accept: 'text/event-stream' }),
        get('/v1/content/changes?since=0', token),
        get('/v1/analytics/live', token),
        post(`${entriesOf(at)}`, { values: { title: `Row ${UNIQUE}` } }, token),
        post(`/v1/cms/collections/${account.draftsId}/entries/${account.draftId}/publish`, {}, token),
      ];
    },
    patienceMs: 500,
  },
  {
    name: 'tools of agents',
    async prepare(at) {
      await at.rows();
      const headers = { ...at.token, accept: 'application/json, text/event-stream' };
      const call = (name: string, args: object) =>
        post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, headers);
      return [
        call('query_entries', { collectionId: 'rows', where: { title: { contains: UNIQUE } }, pageSize: 100 }),
        post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers),
      ];
    },
  },
  {
    name: 'statements of analysts that sort and join everything',
    prepare: (at) =>
      [
        `select count(*) from generate_series(1, 400000000) as n where n % ${UNIQUE} = 1`,
        `select a.url, b.url from visits a cross join visits b cross join generate_series(1, 10000) as n where n <> ${UNIQUE} order by 1, 2, n`,
        `select v.* from visits v cross join generate_series(1, 1000000) as n where n <> ${UNIQUE}`,
      ].map((query) => post('/v1/sql', { query }, at.token)),
  },
  {
    name: 'sizes of a large image',
    async prepare(at) {
      const url = await at.once('image', async () => {
        const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
        const create = { width: 4_000, height: 3_000, channels: 3, background: 'white', noise } as const;
        const image = await sharp({ create }).jpeg({ quality: 60 }).toBuffer();
        const { body, headers = {} } = upload(at, '/v1/files/upload', 'noise.jpg', image);
        return (await at.ask('POST /v1/files/upload', body, { headers })).url as string;
      });
      const { pathname } = new URL(url, 'http://localhost');
      return ['webp', 'avif', 'jpeg', 'png'].flatMap((format) =>
        ['w=1280', 'w=640&h=640', 'h=1920'].map((size) => get(`${pathname}?${size}&q=90&format=${format}&n=${UNIQUE}`)),
      );
    },
  },
  {
    name: 'events against 90 endpoints of 20 filters each',
    async prepare(at) {
      const url = await at.slow();
      const filters = many(20, (i) => ({
        field: 'properties.note',
        operator: 'contains',
        value: i < 19 ? 'text text' : 'absent',
      }));
      await at.once('filters', async () => {
        for (let i = 0; i < 90; i++) await at.ask('POST /v1/webhooks', { url: `${url}/f${i}`, filters });
      });
      const item = { event: { event: 'x', properties: { note: fill('text ', 1_000) } } };
      return [post('/v1/batch', { api_key: at.account.apiKey, items: many(100, () => item) })];
    },
  },
  {
    name: 'previews and the past of a large collection',
    async prepare(at) {
      const { account, token } = at;
      const id = await at.rows();
      const preview = await at.ask(`POST /v1/cms/collections/${account.draftsId}/entries/${account.draftId}/preview`);
      const past = encodeURIComponent(new Date(Date.now() - 1_000).toISOString());
      const query = `pageSize=100&sort=title:desc,count:asc&filter%5Bcount%5D%5Bgte%5D=-${UNIQUE}`;
      return [
        get(`/v1/content/${account.draftsId}?preview=${preview.token}&key=${account.apiKey}`),
        get(`/v1/content/${id}?at=${past}&expand=next.next&${query}`, token),
        post(`/v1/content/${id}/aggregate?at=${past}`, { groupBy: ['title'], measures: { n: { count: true } } }, token),
      ];
    },
  },
  {
    name: 'exposures and results of experiments',
    prepare: ({ account, token }) => {
      const exposure = {
        event: { event: 'experiment_exposure', properties: { experiment: `running-${account.marker}`, variant: 'b' } },
      };
      return [
        post('/v1/batch', {
          api_key: account.apiKey,
          items: many(100, () => ({ ...exposure, visitorId: `v${UNIQUE}` })),
        }),
        get(`/v1/experiments/${account.experimentId}/results?segment=source`, token),
        get(`/v1/experiments/${account.experimentId}/power`, token),
      ];
    },
  },
  {
    name: 'plans of bulk changes',
    async prepare(at) {
      const collection = await at.rows();
      return [
        post(
          '/v1/plans/bulk-changes',
          { op: 'update', collection, where: { count: { lt: 40 } }, values: { title: `Planned ${UNIQUE}` } },
          at.token,
        ),
        get('/v1/plans', at.token),
      ];
    },
  },
  {
    name: 'uploads from a slow server',
    async prepare(at) {
      const url = await at.slow();
      return [post('/v1/files/upload-from-url', { url: `${url}/${UNIQUE}.png` }, { ...JSON_BODY, ...at.token })];
    },
  },
];
