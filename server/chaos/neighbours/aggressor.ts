import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../../test/at-end.ts';
import type { Furnished } from '../../test/furnished-account.ts';
import type { Answer, CallOptions, ServiceUnderTest } from '../../test/harness.ts';
import { fill, many } from '../hostile/attack.ts';

/** In URLs and bodies: the number of the request, so that no two are alike. */
export const UNIQUE = '%n%';
/** The longest text, and how many of them make an entry of 900 kB. */
const LONG = 99_000;
export const PARTS = 9;
const TEXTS = 60;
const ROWS = 5_000;

/** The account that attacks, and what it has made for that. */
export class Aggressor {
  readonly service: ServiceUnderTest;
  readonly account: Furnished;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(service: ServiceUnderTest, account: Furnished) {
    this.service = service;
    this.account = account;
  }

  get token(): Record<string, string> {
    return { 'x-api-key': `Bearer ${this.account.token}` };
  }

  /** A request that succeeds, once the account's rate allows it. */
  async ask(request: string, body?: unknown, options: CallOptions = {}): Promise<Answer['body']> {
    for (;;) {
      const answer = await this.service.call(request, { as: this.account, body, ...options });
      if (answer.status === 200) return answer.body;
      if (answer.status !== 429) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(200);
    }
  }

  once<Result>(name: string, make: () => Promise<Result>): Promise<Result> {
    return this.#made.getOrInsertComputed(name, make) as Promise<Result>;
  }

  /** A public collection of 60 entries of 900 kB each. */
  texts(): Promise<{ id: string; entryIds: string[] }> {
    return this.once('texts', async () => {
      const fields = many(PARTS, (i) => ({ id: `t${i}`, label: 'Text', type: 'text' }));
      const { id } = await this.ask('POST /v1/cms/collections', {
        name: 'Texts',
        publishing: true,
        public: true,
        fields,
      });
      const entryIds: string[] = [];
      for (let i = 0; i < TEXTS; i++) {
        const text = `${fill(`words of text ${i} `, LONG)} end`;
        const values = Object.fromEntries(fields.map(({ id }) => [id, text]));
        entryIds.push((await this.ask(`POST /v1/cms/collections/${id}/entries`, { values })).id);
        await this.ask(`POST /v1/cms/collections/${id}/entries/${entryIds[i]}/publish`, {});
      }
      return { id, entryIds };
    });
  }

  /** A public collection of 5,000 entries that refer to each other. */
  rows(): Promise<string> {
    return this.once('rows', async () => {
      const fields = [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'count', label: 'Count', type: 'number' },
        { id: 'body', label: 'Body', type: 'text', format: 'richtext' },
      ];
      const body = { name: 'Rows', key: 'rows', publishing: true, public: true, fields };
      const { id } = await this.ask('POST /v1/cms/collections', body);
      const reference = { id: 'next', label: 'Next', type: 'text', format: 'reference', collectionIds: [id] };
      await this.ask(`PATCH /v1/cms/collections/${id}`, { fields: [{ ...reference, repeated: true }] });
      const paragraph = { type: 'paragraph', content: [{ type: 'text', text: fill('some words ', 2_000) }] };
      for (let n = 0; n < ROWS; n += 250) {
        const operations = many(250, (i) => ({
          op: 'create',
          collection: id,
          ref: `r${i}`,
          values: {
            title: `Row ${n + i}`,
            count: i,
            body: { type: 'doc', content: many(3, () => paragraph) },
            next: i === 0 ? [] : many(Math.min(i, 5), (j) => `@r${i - j - 1}`),
          },
        }));
        const { results } = await this.ask('POST /v1/cms/batch', { operations });
        const entryIds = results.map((each: { id: string }) => each.id);
        for (let i = 0; i < entryIds.length; i += 100) {
          await this.ask(`POST /v1/cms/collections/${id}/publish`, { entryIds: entryIds.slice(i, i + 100) });
        }
      }
      return id;
    });
  }

  /** 20,000 sales of a visitor with 100 clicks. */
  sales(): Promise<void> {
    return this.once('sales', async () => {
      const click = (i: number) => ({
        url: `https://shop.example/?utm_campaign=c${i}&gclid=sale${i}`,
        visitorId: 'busy',
      });
      const items = many(100, (i) => ({ visit: { ...click(i), visitId: `busy${i}` } }));
      await this.ask('POST /v1/batch', { api_key: this.account.apiKey, items });
      const costs = [{ date: new Date().toISOString().slice(0, 10), source: 'google', currency: 'EUR', cost: 1 }];
      await this.ask('PUT /v1/analytics/ad-costs', { costs });
      for (let n = 0; n < 20; n++) {
        const rows = many(1_000, (i) => ({
          gclid: `sale${i % 100}`,
          eventId: `sale${n}-${i}`,
          value: 1,
          currency: 'EUR',
        }));
        await this.ask('POST /v1/analytics/report-conversion', rows);
      }
    });
  }

  /** A server that takes its time: a byte a second. */
  slow(): Promise<string> {
    return this.once('slow', async () => {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'image/png' });
        const timer = setInterval(() => response.write('x'), 1_000);
        response.on('close', () => clearInterval(timer));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
  }
}
