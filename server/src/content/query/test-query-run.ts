import assert from 'node:assert/strict';
import type { Account } from '../../../test/harness.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Values } from '../entries/check-values.ts';
import { type contentService, seedEntries } from '../test-support.ts';
import {
  type Condition,
  grouped,
  listed,
  type Reading,
  type Seen,
  type State,
  seen,
  type World,
} from './test-query-model.ts';

type Service = Awaited<ReturnType<typeof contentService>>;

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const number = (id: string) => ({ id, label: id, type: 'number' });
const reference = (id: string, to: string, more: object = {}) =>
  text(id, { format: 'reference', collectionIds: [to], ...more });

const KINDS = ['red', 'green', 'blue'];
const THINGS = [
  text('title', { localized: true }),
  number('price'),
  { id: 'exact', label: 'Exact', type: 'number', format: 'decimal', scale: 2 },
  { id: 'flag', label: 'Flag', type: 'boolean' },
  { id: 'day', label: 'Day', type: 'date' },
  { id: 'at', label: 'At', type: 'timestamp' },
  { id: 'kind', label: 'Kind', type: 'select', options: KINDS.map((value) => ({ value, label: value })) },
  text('tags', { repeated: true }),
  { ...number('nums'), repeated: true },
  { id: 'place', label: 'Place', type: 'text', format: 'point' },
  {
    id: 'seo',
    label: 'SEO',
    type: 'group',
    fields: [text('title'), { id: 'inner', label: 'Inner', type: 'group', fields: [text('deep'), number('size')] }],
  },
  {
    id: 'lines',
    label: 'Lines',
    type: 'group',
    repeated: true,
    fields: [text('sku'), number('qty'), reference('who', 'authors')],
  },
  {
    id: 'blocks',
    label: 'Blocks',
    type: 'group',
    repeated: true,
    format: 'blocks',
    fields: [],
    blocks: [
      { id: 'hero', label: 'Hero', fields: [text('title'), number('size')] },
      { id: 'quote', label: 'Quote', fields: [text('text')] },
    ],
  },
  reference('author', 'authors'),
  reference('related', 'authors', { repeated: true }),
];

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface RunOptions {
  operations: number;
  seed: number;
  /** Entries at the start; there are about as many all the time. */
  size: number;
}

const WORDS = ['Ada', 'ada', 'Straße', 'strasse', 'Café', 'cafe noir', 'Zebra', 'x', 'Äpfel', 'a%b_c', '', '日本語'];
const DAYS = ['2024-02-29', '2026-01-31', '2026-02-01', '1999-12-31'];
const TIMES = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2020-06-01T12:00:00.000Z'];

/** Random changes and queries of a collection, each compared with the model. @returns how many of each kind there were */
export async function runAgainstModel(service: Service, { operations, seed, size }: RunOptions) {
  return new Run(service, await service.newAccount(), randomOf(seed), size, seed).run(operations);
}

/** A run ends after this many. */
const MOST_DIVERGENCES = 20;

class Run {
  readonly #service: Service;
  readonly #account: Account;
  readonly #random: () => number;
  readonly #size: number;
  readonly #seed: number;
  readonly #world: World = { entries: new Map() };
  readonly #done: Record<string, number> = {};
  readonly #divergences: string[] = [];
  #at = 0;

  constructor(service: Service, account: Account, random: () => number, size: number, seed: number) {
    this.#service = service;
    this.#account = account;
    this.#random = random;
    this.#size = size;
    this.#seed = seed;
  }

  async run(operations: number): Promise<Record<string, number>> {
    await this.#prepare();
    const kinds: [weight: number, name: string, run: () => Promise<void>][] = [
      [
        4,
        'change',
        async () => {
          await this.#change();
        },
      ],
      [8, 'list', () => this.#list()],
      [2, 'pages while others write', () => this.#listWhileWriting()],
      [3, 'aggregate', () => this.#aggregate()],
    ];
    const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
    while (this.#at < operations) {
      let left = this.#random() * total;
      const [, name, run] =
        kinds.find(([weight]) => {
          left -= weight;
          return left < 0;
        }) ?? (kinds[0] as (typeof kinds)[0]);
      this.#at++;
      this.#done[name] = (this.#done[name] ?? 0) + 1;
      try {
        await run();
      } catch (error) {
        if (!(error instanceof assert.AssertionError) || this.#divergences.length >= MOST_DIVERGENCES) throw error;
        this.#divergences.push(error.message);
      }
    }
    assert.deepEqual(this.#divergences, []);
    return this.#done;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  #some<T>(items: readonly T[], most: number): T[] {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) }, () => this.#pick(items));
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  async #ok(request: string, body?: unknown) {
    return this.#service.ok(request, this.#account, body);
  }

  async #prepare(): Promise<void> {
    const locales = [{ locale: 'en' }, { locale: 'de' }];
    await this.#ok('PUT /v1/cms/locales', { default: 'en', locales });
    const open = { publishing: true, public: true };
    const create = (key: string, fields: object[]) =>
      this.#ok('POST /v1/cms/collections', { name: key, key, fields, ...open });
    await create('countries', [text('name')]);
    await create('authors', [
      text('name'),
      number('age'),
      reference('country', 'countries'),
      text('tags', { repeated: true }),
    ]);
    const { id } = await create('things', THINGS);
    for (let i = 0; i < 4; i++) await this.#create('countries', { name: this.#pick(WORDS) });
    for (let i = 0; i < 12; i++) await this.#create('authors', this.#author());
    if (this.#size > 200) await this.#seedThings(id);
    else for (let i = 0; i < this.#size; i++) await this.#create('things', this.#thing());
  }

  /** Many entries at once, all of which are drafts. */
  async #seedThings(collectionId: string): Promise<void> {
    const collection = await this.#service.readCollection(this.#account, `/v1/cms/collections/${collectionId}`);
    const all = Array.from({ length: this.#size }, () => withRowIds(this.#thing(), this.#random));
    const ids = await seedEntries(this.#service.db, this.#account.uuid, collection, all);
    for (const [i, uuid] of ids.entries()) {
      const id = publicId('ent', uuid);
      const values = all[i] ?? {};
      this.#world.entries.set(id, {
        id,
        collection: 'things',
        values,
        version: 1,
        isDeleted: false,
        published: undefined,
      });
    }
    assert.ok(parseId('col', collectionId));
  }

  #ids(collection: string): string[] {
    return [...this.#world.entries.values()].flatMap((each) =>
      each.collection === collection && !each.isDeleted ? each.id : [],
    );
  }

  #author(): Values {
    return this.#values({
      name: () => this.#pick(WORDS),
      age: () => this.#pick([20, 36, 50]),
      country: () => this.#pick(this.#ids('countries')),
      tags: () => this.#some(WORDS, 2),
    });
  }

  #thing(): Values {
    const who = () => this.#pick(this.#ids('authors'));
    return this.#values({
      title: () => this.#pick(WORDS),
      'title@de': () => this.#pick(WORDS),
      price: () => this.#pick([0, -1, 1, 1.5, 10, 99]),
      exact: () => this.#pick(['0.10', '0.1', '0.20', '-3', '1000000']),
      flag: () => this.#chance(0.5),
      day: () => this.#pick(DAYS),
      at: () => this.#pick(TIMES),
      kind: () => this.#pick(KINDS),
      tags: () => this.#some(WORDS, 3),
      nums: () => this.#some([1, 2, 3, 5], 3),
      place: () =>
        this.#pick([
          { lat: 52.5, lng: 13.4 },
          { lat: 48.1, lng: 11.6 },
          { lat: -33.9, lng: 151.2 },
        ]),
      seo: () =>
        this.#values({
          title: () => this.#pick(WORDS),
          inner: () => this.#values({ deep: () => this.#pick(WORDS), size: () => this.#pick([1, 2, 3]) }),
        }),
      lines: () =>
        Array.from({ length: Math.floor(this.#random() * 3) }, () =>
          this.#values({ sku: () => this.#pick(WORDS), qty: () => this.#pick([1, 2, 9]), who }),
        ),
      blocks: () =>
        Array.from({ length: Math.floor(this.#random() * 3) }, () =>
          this.#chance(0.5)
            ? { _block: 'hero', ...this.#values({ title: () => this.#pick(WORDS), size: () => this.#pick([1, 2]) }) }
            : { _block: 'quote', ...this.#values({ text: () => this.#pick(WORDS) }) },
        ),
      author: who,
      related: () => [...new Set(this.#some(this.#ids('authors'), 3))],
    });
  }

  #values(all: Record<string, () => unknown>): Values {
    const values: Values = {};
    for (const [id, make] of Object.entries(all)) if (this.#chance(0.65)) values[id] = make();
    return values;
  }

  async #create(collection: string, values: Values): Promise<string> {
    const entry = await this.#ok(`POST /v1/cms/collections/${collection}/entries`, { values });
    const stored = {
      id: entry.id,
      collection,
      values: entry.values,
      version: 1,
      isDeleted: false,
      published: undefined,
    };
    this.#world.entries.set(entry.id, stored);
    if (this.#chance(0.6)) await this.#act(entry.id, 'publish');
    return entry.id;
  }

  async #act(id: string, action: 'publish' | 'unpublish' | 'update' | 'delete' | 'restore'): Promise<void> {
    const stored = this.#world.entries.get(id);
    if (!stored) return;
    const path = `/v1/cms/collections/${stored.collection}/entries/${id}`;
    if (action === 'publish') {
      await this.#ok(`POST ${path}/publish`);
      stored.published = { values: stored.values, version: stored.version };
    } else if (action === 'unpublish') {
      if (!stored.published) return;
      await this.#ok(`POST ${path}/unpublish`);
      stored.published = undefined;
    } else if (action === 'update') {
      const sent = stored.collection === 'things' ? this.#thing() : this.#author();
      // Some values are cleared.
      const [cleared] = Object.keys(stored.values);
      const entry = await this.#ok(`PATCH ${path}`, { values: { ...(cleared && { [cleared]: null }), ...sent } });
      Object.assign(stored, { values: entry.values, version: entry.version });
    } else if (action === 'delete') {
      const entry = await this.#ok(`DELETE ${path}`);
      Object.assign(stored, { isDeleted: true, version: entry.version });
    } else {
      const entry = await this.#ok(`PATCH ${path}`, { status: 'active' });
      Object.assign(stored, { isDeleted: false, version: entry.version });
      // What was published is published again, by the version that restored it.
      if (stored.published) stored.published.version = entry.publishedVersion;
    }
  }

  /** @returns the entries that changed */
  async #change(isOfThings = false): Promise<string[]> {
    const things = this.#ids('things');
    if (things.length < this.#size && this.#chance(0.7)) return [await this.#create('things', this.#thing())];
    const ids = isOfThings || this.#chance(0.8) ? things : this.#ids('authors');
    const deleted = [...this.#world.entries.values()].filter((each) => each.isDeleted && each.collection === 'things');
    if (deleted.length > 0 && this.#chance(0.2)) {
      const { id } = this.#pick(deleted);
      await this.#act(id, 'restore');
      return [id];
    }
    const id = this.#pick(ids);
    if (id === undefined) return [];
    const isThing = ids === things;
    const actions = ['update', 'publish', 'unpublish', ...(isThing ? ['delete' as const] : [])] as const;
    await this.#act(id, this.#pick(actions));
    return [id];
  }

  #reading(): Reading {
    const state = this.#pick<State>(['draft', 'draft', 'published', 'public']);
    return { state, locale: this.#chance(0.25) ? 'de' : undefined };
  }

  #path(): [path: string, field: string] {
    const paths = [
      ...['title', 'price', 'exact', 'flag', 'day', 'at', 'kind', 'tags', 'nums', 'id'],
      ...['seo.title', 'seo.inner.deep', 'seo.inner.size', 'lines.sku', 'lines.qty', 'lines.who.name'],
      ...['blocks.hero.title', 'blocks.hero.size', 'blocks.quote.text', 'title@de'],
      ...['author', 'related', 'author.name', 'author.age', 'author.country.name', 'related.name', 'related.age'],
      ...['author.tags', 'related.country.name', 'place'],
    ];
    const path = this.#pick(paths);
    return [path, path.split('.').at(-1) ?? ''];
  }

  #operand(field: string): unknown {
    switch (field) {
      case 'price':
        return this.#pick([-1, 0, 1, 1.5, 10, 50]);
      case 'exact':
        return this.#pick(['0.1', '0.15', '0.2', '-3', '5']);
      case 'age':
        return this.#pick([20, 36, 40]);
      case 'nums':
      case 'qty':
      case 'size':
        return this.#pick([1, 2, 3]);
      case 'flag':
        return this.#chance(0.5);
      case 'day':
        return this.#pick(DAYS);
      case 'at':
        return this.#pick(TIMES);
      case 'kind':
        return this.#pick(KINDS);
      case 'id':
        return this.#pick([...this.#world.entries.keys()]);
      case 'author':
      case 'related':
        return this.#pick(this.#ids('authors'));
      default:
        return this.#pick(WORDS.filter(Boolean));
    }
  }

  #leaf(): Condition {
    const [path, field] = this.#path();
    const one = () => this.#operand(field);
    const list = () => [one(), one()];
    if (field === 'place') {
      const near = { near: `${this.#pick([52.4, 48.2])},${this.#pick([13.3, 11.7])},${this.#pick([20_000, 700_000])}` };
      return { place: this.#chance(0.7) ? near : { exists: this.#chance(0.5) } };
    }
    const isReference = field === 'author' || field === 'related';
    const operators: [string, () => unknown][] = [
      ['eq', one],
      ['ne', one],
      ['in', list],
      ['nin', list],
      ['exists', () => this.#chance(0.5)],
    ];
    if (!isReference && !['flag', 'kind', 'id'].includes(field)) {
      operators.push(['lt', one], ['lte', one], ['gt', one], ['gte', one], ['between', list]);
    }
    if (typeof one() === 'string' && !isReference && !['exact', 'day', 'at', 'kind', 'id'].includes(field)) {
      const part = () => this.#pick(['a', 'ADA', 'ss', 'e no', 'r', '%', 'ß', '日']);
      operators.push(['ieq', one], ['contains', part], ['startsWith', part], ['endsWith', part]);
    }
    if (path === 'tags' || path === 'nums') {
      operators.push(
        ['all', list],
        ['none', list],
        [this.#pick(['some', 'every', 'none']), () => this.#ofValue(field)],
      );
    }
    if (path === 'related') operators.push(['all', list]);
    const [operator, make] = this.#pick(operators);
    return { [path]: { [operator]: make() } };
  }

  #ofValue(field: string): Condition {
    const two = (operators: string[]) =>
      Object.fromEntries(
        this.#some(operators, 1)
          .concat(operators[0] ?? '')
          .map((each) => [each, this.#operand(field)]),
      );
    return field === 'nums' ? two(['gt', 'lt', 'ne']) : two(['startsWith', 'endsWith', 'ne', 'contains']);
  }

  /** Several conditions of one row, or of one referenced entry. */
  #quantified(): Condition {
    const quantifier = this.#pick(['some', 'every', 'none']);
    const word = () => this.#pick(WORDS.filter(Boolean));
    const conditions: [string, Condition][] = [
      [
        'lines',
        { sku: { [this.#pick(['eq', 'ne', 'ieq', 'startsWith'])]: word() }, qty: { gte: this.#pick([1, 2, 9]) } },
      ],
      ['lines', { or: [{ 'who.name': { eq: word() } }, { qty: { eq: 9 } }] }],
      ['lines', { not: { sku: { exists: true } } }],
      ['blocks.hero', { title: { contains: 'a' }, size: { lt: 3 } }],
      ['blocks.quote', { text: { exists: this.#chance(0.5) } }],
      ['author', { name: { ieq: word() }, age: { gt: 20 } }],
      ['related', { age: { lte: this.#pick([20, 36]) }, name: { ne: word() } }],
      ['related', { 'country.name': { startsWith: 'a' } }],
    ];
    const [path, condition] = this.#pick(conditions);
    return { [path]: { [quantifier]: condition } };
  }

  #where(depth = 0): Condition {
    const kind = this.#random();
    if (depth < 3 && kind < 0.35) {
      const items = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#where(depth + 1));
      return { [kind < 0.18 ? 'and' : 'or']: items };
    }
    if (depth < 3 && kind < 0.45) return { not: this.#where(depth + 1) };
    if (kind < 0.6) return this.#quantified();
    return this.#chance(0.15) ? { ...this.#leaf(), ...this.#leaf() } : this.#leaf();
  }

  #sort(): [string, string][] {
    const paths = [
      'title',
      'price',
      'exact',
      'flag',
      'day',
      'at',
      'kind',
      'seo.title',
      'seo.inner.size',
      'author.name',
    ];
    const all = [...paths, 'author.age', 'createdAt', 'id', 'version'];
    return Array.from({ length: Math.floor(this.#random() * 4) }, () => [this.#pick(all), this.#pick(['asc', 'desc'])]);
  }

  #note(query: unknown): string {
    return `seed ${this.#seed}, operation ${this.#at}: ${JSON.stringify(query)}`;
  }

  async #page(query: Record<string, unknown>, { state, locale }: Reading) {
    const body = { ...query, ...(locale && { locale }), ...(state === 'published' && { state }) };
    if (state === 'public') {
      const url = `/v1/content/things/query?key=${this.#account.apiKey}`;
      const answer = await this.#service.call(`POST ${url}`, { body });
      assert.equal(answer.status, 200, `${this.#note(body)} ${JSON.stringify(answer.body)}`);
      return answer.body;
    }
    const answer = await this.#service.call('POST /v1/cms/collections/things/entries/query', {
      as: this.#account,
      body,
    });
    assert.equal(answer.status, 200, `${this.#note(body)} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async #list(): Promise<void> {
    const reading = this.#reading();
    const where = this.#where();
    // In public reads, a version is none of the columns.
    const sort = this.#sort().filter(([path]) => !(path === 'version' && reading.state === 'public'));
    const query = {
      where,
      ...(sort.length > 0 && { sort: sort.map((key) => key.join(':')).join(',') }),
      pageSize: this.#pick([3, 17, 100]),
      count: 'exact',
      select: this.#pick(['title,price', 'seo.title', '-blocks,-lines', undefined]),
    };
    const expected = listed(this.#world, where, sort, reading);
    const found: string[] = [];
    for (let pageToken: string | null = '', pages = 0; pageToken !== null && pages < 4; pages++) {
      const page = await this.#page({ ...query, pageToken }, reading);
      assert.equal(page.total, expected.length, this.#note({ query, reading }));
      found.push(...page.entries.map(({ id }: { id: string }) => id));
      for (const entry of page.entries) this.#checkValues(entry, query.select, reading);
      pageToken = page.nextPageToken;
      if (pageToken === null) assert.equal(found.length, expected.length, this.#note({ query, reading }));
    }
    assert.deepEqual(
      found,
      expected.slice(0, found.length).map(({ id }) => id),
      this.#note({ query, reading }),
    );
  }

  #checkValues(entry: { id: string; values: Values }, select: string | undefined, reading: Reading): void {
    const stored = this.#world.entries.get(entry.id);
    const own = stored && seen(stored, reading);
    const { title, price, seo } = (own?.values ?? {}) as { title?: string; price?: number; seo?: Values };
    const keys = Object.keys(entry.values);
    if (select === 'title,price') assert.deepEqual(entry.values, JSON.parse(JSON.stringify({ title, price })));
    else if (select === 'seo.title')
      assert.deepEqual(entry.values, seo ? { seo: JSON.parse(JSON.stringify({ title: seo.title })) } : {});
    else if (select) assert.ok(!keys.includes('blocks') && !keys.includes('lines'));
    else assert.equal(entry.values.title, title);
  }

  /** Of entries that nobody touches, none is skipped or returned twice, and they keep their order. */
  async #listWhileWriting(): Promise<void> {
    const reading = this.#reading();
    // Of what is read through references nothing changes.
    const where = this.#chance(0.5) ? {} : this.#leaf();
    const sort = this.#sort().filter(([path]) => !(path === 'version' && reading.state === 'public'));
    const query = { where, ...(sort.length > 0 && { sort: sort.map((key) => key.join(':')).join(',') }), pageSize: 5 };
    const touched = new Set<string>();
    const found: string[] = [];
    const most = 6;
    let isWhole = false;
    for (let pageToken: string | null = '', pages = 0; pages < most; pages++) {
      const page: { entries: Seen[]; nextPageToken: string | null } = await this.#page(
        { ...query, pageToken },
        reading,
      );
      found.push(...page.entries.map(({ id }) => id));
      pageToken = page.nextPageToken;
      isWhole = pageToken === null;
      if (isWhole) break;
      for (const id of await this.#change(true)) touched.add(id);
    }
    const untouched = (ids: string[]) => ids.filter((id) => !touched.has(id));
    const expected = untouched(listed(this.#world, where, sort, reading).map(({ id }) => id));
    const own = untouched(found);
    assert.equal(new Set(own).size, own.length, this.#note({ query, reading }));
    assert.deepEqual(own, isWhole ? expected : expected.slice(0, own.length), this.#note({ query, reading }));
  }

  async #aggregate(): Promise<void> {
    const reading = this.#reading();
    const where = this.#where();
    const path = this.#pick([
      ...['kind', 'flag', 'price', 'tags', 'nums', 'seo.title', 'lines.sku', 'blocks.hero.size', 'author.name'],
      ...['author.country.name', 'related.name', 'lines.who.name', 'day', 'title', 'author.tags', 'title@de'],
    ]);
    const measure = this.#pick(['price', 'nums', 'lines.qty', 'author.age', 'related.age', 'seo.inner.size', 'exact']);
    const query = { where, groupBy: [path], measures: { n: { count: true }, sum: { sum: measure } }, limit: 1_000 };
    const { state, locale } = reading;
    const body = { ...query, ...(locale && { locale }), ...(state === 'published' && { state }) };
    const answer =
      state === 'public'
        ? await this.#service.call(`POST /v1/content/things/aggregate?key=${this.#account.apiKey}`, { body })
        : await this.#service.call('POST /v1/cms/collections/things/entries/aggregate', { as: this.#account, body });
    assert.equal(answer.status, 200, `${this.#note(body)} ${JSON.stringify(answer.body)}`);
    const round = (sum: number | string | null) => (sum === null ? null : Math.round(Number(sum) * 1_000) / 1_000);
    const found = answer.body.groups.map(
      ({ key, n, sum }: { key: Record<string, unknown>; n: number; sum: number | string | null }) =>
        [JSON.stringify(key[path]), n, round(sum)] as const,
    );
    const expected = [...grouped(this.#world, where, path, measure, reading)].map(
      ([key, { n, sum }]) => [key, n, round(sum)] as const,
    );
    const sorted = (groups: (readonly [string, number, number | null])[]) =>
      groups.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    assert.deepEqual(sorted(found), sorted(expected), this.#note({ query, reading }));
  }
}

/** Entries that are written directly need the IDs of their rows. */
function withRowIds(values: Values, random: () => number): Values {
  const { blocks } = values;
  if (!Array.isArray(blocks)) return values;
  const id = () => `row_${Math.floor(random() * 2 ** 52).toString(36)}`;
  return { ...values, blocks: blocks.map((row: Values) => ({ ...row, _id: id() })) };
}
