import assert from 'node:assert/strict';
import type { Account, Answer, ServiceUnderTest } from '../service-under-test.ts';

/**
 * An account with entries in which every text and number is a mark of its own, so that what a response shows of them is found
 * by searching it. Owners and a few other values are shared: conditions are about them.
 */
export interface World {
  account: Account;
  collections: WorldCollection[];
  /** What each mark is of. */
  marks: Map<string, Mark>;
  releaseId: string;
  /** ID of who asks: what `{"currentUser": true}` stands for. */
  me: string;
}

export interface WorldCollection {
  key: string;
  id: string;
  publishing: boolean;
  fields: WorldField[];
  /** IDs of entries, deleted ones included. */
  entries: string[];
}

export interface WorldField {
  id: string;
  kind: 'text' | 'number' | 'owner' | 'reference' | 'references' | 'tags' | 'group' | 'rows' | 'blocks' | 'localized';
  to?: string[];
}

export interface Mark {
  collection: string;
  /** Absent: of the schema. */
  entry?: string;
  /** Absent: a comment, or the name of the collection. */
  field?: string;
  locale?: 'en' | 'de';
  /** Whether it is in what is published, too. */
  isPublished: boolean;
}

const FIELDS: Record<string, WorldField[]> = {
  people: [
    { id: 'p_name', kind: 'text' },
    { id: 'p_note', kind: 'text' },
    { id: 'p_owner', kind: 'owner' },
    { id: 'p_score', kind: 'number' },
    { id: 'p_code', kind: 'text' },
    { id: 'p_boss', kind: 'reference', to: ['people'] },
  ],
  articles: [
    { id: 'a_title', kind: 'text' },
    { id: 'a_secret', kind: 'text' },
    { id: 'a_owner', kind: 'owner' },
    { id: 'a_price', kind: 'number' },
    { id: 'a_code', kind: 'text' },
    { id: 'a_tags', kind: 'tags' },
    { id: 'a_seo', kind: 'group' },
    { id: 'a_rows', kind: 'rows' },
    { id: 'a_blocks', kind: 'blocks' },
    { id: 'a_body', kind: 'localized' },
    { id: 'a_author', kind: 'reference', to: ['people'] },
  ],
  logs: [
    { id: 'l_text', kind: 'text' },
    { id: 'l_owner', kind: 'owner' },
    { id: 'l_level', kind: 'number' },
    { id: 'l_about', kind: 'reference', to: ['articles'] },
    { id: 'l_many', kind: 'references', to: ['articles', 'people'] },
  ],
};
const PUBLISHING = new Set(['articles']);
/** Its entries are below each other. */
export const TREE = 'people';
const LINE = { id: 'line', label: 'Line', type: 'text' };
const ABOUT = { id: 'about', label: 'About', type: 'text', format: 'reference', collectionIds: ['people'] };
const BLOCKS = { format: 'blocks', blocks: [{ id: 'hero', label: 'Hero', fields: [LINE, ABOUT] }] };
const COUNTS: Record<string, number> = { people: 6, articles: 8, logs: 5 };
export const OWNERS = ['me', 'them', null, 'me', 'nobody', 'them'] as const;

type Service = Pick<ServiceUnderTest, 'call' | 'newAccount'>;

export async function makeWorld(service: Service): Promise<World> {
  const account = await service.newAccount();
  const marks = new Map<string, Mark>();
  let count = 0;
  const mark = (of: Mark): string => {
    const text = `zq${(count++).toString(36).padStart(4, '0')}q`;
    marks.set(text, of);
    return text;
  };
  const number = (of: Mark): number => {
    const value = 90_000_000 + count++ * 7;
    marks.set(String(value), of);
    return value;
  };
  const ok = async (request: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await service.call(request, { as: account, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 200, `${request} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ok('PUT /v1/cms/locales', { default: 'en', locales: [{ locale: 'en' }, { locale: 'de', fallback: 'en' }] });
  const definitions = Object.entries(FIELDS).map(([collection, fields]) => ({
    key: collection,
    name: mark({ collection, isPublished: true }),
    ...(PUBLISHING.has(collection) && { publishing: true, public: true }),
    ...(collection === TREE && { ordering: 'manual', tree: true }),
    fields: fields.map(({ id, kind, to }) => ({
      id,
      label: mark({ collection, field: id, isPublished: true }),
      ...(kind === 'number'
        ? { type: 'number' }
        : ['group', 'rows', 'blocks'].includes(kind)
          ? { type: 'group' }
          : { type: 'text' }),
      ...((kind === 'group' || kind === 'rows') && { fields: [LINE] }),
      ...(kind === 'blocks' && BLOCKS),
      ...(['tags', 'rows', 'blocks', 'references'].includes(kind) && { repeated: true }),
      ...(kind === 'localized' && { localized: true }),
      ...(id.endsWith('_code') && { unique: true }),
      ...(to && { format: 'reference', collectionIds: to }),
    })),
  }));
  await ok('PUT /v1/schema', { collections: definitions });
  const listed: { key: string; id: string }[] = (await ok('GET /v1/cms/collections')).collections;
  const collections = Object.entries(FIELDS).map(
    ([key, fields]): WorldCollection => ({
      ...{ key, fields, publishing: PUBLISHING.has(key), entries: [] },
      id: listed.find((each) => each.key === key)?.id ?? '',
    }),
  );
  for (const collection of collections) {
    const { key, id: collectionId, fields, entries, publishing } = collection;
    const path = `/v1/cms/collections/${collectionId}/entries`;
    for (let n = 0; n < (COUNTS[key] ?? 0); n++) {
      const made: [string, Mark][] = [];
      const values = (isPublished: boolean) => {
        const sent: Record<string, unknown> = {};
        for (const { id, kind, to = [] } of fields) {
          const text = (locale?: 'en' | 'de') => {
            const of: Mark = { collection: key, field: id, isPublished, ...(locale && { locale }) };
            const token = mark(of);
            made.push([token, of]);
            return token;
          };
          if (kind === 'text') sent[id] = text();
          else if (kind === 'number') {
            const of: Mark = { collection: key, field: id, isPublished };
            const token = number(of);
            made.push([String(token), of]);
            sent[id] = token;
          } else if (kind === 'owner') sent[id] = OWNERS[(n + (isPublished ? 0 : 1)) % OWNERS.length];
          else if (kind === 'tags') sent[id] = [text(), text()];
          else if (kind === 'group') sent[id] = { line: text() };
          else if (kind === 'rows') sent[id] = [{ line: text() }];
          else if (kind === 'blocks') {
            const about = collections.find(({ key }) => key === 'people')?.entries[n % 4];
            sent[id] = [{ _block: 'hero', line: text(), ...(about && { about }) }];
          } else if (kind === 'localized') {
            sent[id] = text('en');
            sent[`${id}@de`] = text('de');
          } else {
            const from = collections.filter((each) => to.includes(each.key)).map((each) => each.entries[n % 4]);
            const found = from.filter((each) => each !== undefined);
            if (kind === 'references') sent[id] = found;
            else if (found[0] !== undefined) sent[id] = found[0];
          }
        }
        return sent;
      };
      const isPublished = publishing && n % 3 !== 2;
      const entry = await ok(`POST ${path}`, { values: values(isPublished || !publishing) });
      if (isPublished) await ok(`POST ${path}/${entry.id}/publish`);
      // Drafts that differ from what is published, and earlier versions.
      if (n % 2 === 0) await ok(`PATCH ${path}/${entry.id}`, { values: values(!publishing) });
      const comment: Mark = { collection: key, isPublished: false };
      const { id: _ } = await ok(`POST ${path}/${entry.id}/comments`, { text: mark(comment) });
      for (const of of [...made.map(([, each]) => each), comment]) of.entry = entry.id;
      entries.push(entry.id);
      if (key === TREE && n > 0) await ok(`POST ${path}/${entry.id}/move`, { parentId: entries[(n - 1) >> 1] });
      if (n === (COUNTS[key] ?? 0) - 1) await ok(`DELETE ${path}/${entry.id}`);
    }
    const secret = [...marks].find(([, { entry, field }]) => entry === entries[1] && field !== undefined)?.[0];
    await ok(`PUT /v1/cms/collections/${collectionId}/views`, { name: 'Shared', shared: true, state: { q: secret } });
  }
  const articles = collections.find(({ key }) => key === 'articles');
  const items = articles?.entries.slice(0, 3).map((entryId) => ({ collectionId: articles.id, entryId }));
  // Variants of an experiment have values, too.
  await ok('POST /v1/events', { api_key: account.apiKey, event: 'signup' });
  const [varied = ''] = articles?.entries ?? [];
  const marked = (field: string) => mark({ collection: 'articles', entry: varied, field, isPublished: false });
  const variant = { key: 'b', weight: 0.5, values: { a_title: marked('a_title'), a_secret: marked('a_secret') } };
  await ok('POST /v1/experiments', {
    ...{ key: 'test', name: 'Test', variants: [{ key: 'a', weight: 0.5 }, variant] },
    metric: { event: 'signup', kind: 'events' },
    content: [{ collectionId: articles?.id, entryId: varied }],
  });
  const { id: releaseId } = await ok('POST /v1/cms/releases', { name: 'Soon', items });
  return { account, collections, marks, releaseId, me: '' };
}
