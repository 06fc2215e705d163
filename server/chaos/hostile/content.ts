import { type Attack, fill, get, many, post, requests, type Target } from './attack.ts';
import { hostileTexts, MARKS } from './texts.ts';

const entries = ({ account }: Target) => `/v1/cms/collections/${account.collectionId}/entries`;

export const CONTENT: Attack[] = [
  requests('entries: text of a megabyte', (target) =>
    [MARKS, '\ufdfa', '\uff9e\u0301', '가\u11a8', '\u0130', 'a\u0301', '\u202e', '😀', ' ', 'a'].flatMap((text) => {
      const long = text.repeat(Math.floor(240_000 / Buffer.byteLength(text)));
      return [
        post(entries(target), { values: { title: long } }, target.token),
        post(entries(target), { values: { tags: many(4, () => long) } }, target.token),
      ];
    }),
  ),
  requests('entries: hostile values of every type', (target) =>
    hostileTexts(30_000).flatMap((text) =>
      ['count', 'on', 'day', 'at', 'link', 'cover', 'kind', 'seo'].map((field) =>
        post(entries(target), { values: { [field]: text } }, target.token),
      ),
    ),
  ),
  requests('entries: many small things', (target) => [
    post(entries(target), { values: { tags: many(200_000, () => 'x') } }, target.token),
    post(entries(target), { values: { tags: many(200_000, () => 0) } }, target.token),
    post(entries(target), { values: Object.fromEntries(many(80_000, (i) => [`u${i}`, 0])) }, target.token),
    post(entries(target), { values: { seo: Object.fromEntries(many(80_000, (i) => [`u${i}`, 0])) } }, target.token),
    post(entries(target), { values: { cover: Object.fromEntries(many(80_000, (i) => [`u${i}`, 0])) } }, target.token),
    post(entries(target), { values: { title: { a: many(100_000, () => []) } } }, target.token),
    post(entries(target), `{"values":{"__proto__":{"title":"x"},"constructor":1,"toString":2}}`, target.token),
  ]),
  requests('collections: many fields and options', (target) => [
    post('/v1/cms/collections', { name: 'x', fields: many(300_000, () => ({})) }, target.token),
    post(
      '/v1/cms/collections',
      { name: 'x', fields: many(20_000, (i) => ({ id: `f${i}`, label: 'x', type: 'text' })) },
      target.token,
    ),
    post(
      '/v1/cms/collections',
      { name: 'x', fields: many(20_000, () => ({ id: 'same', label: 'x', type: 'text' })) },
      target.token,
    ),
    post(
      '/v1/cms/collections',
      {
        name: 'x',
        fields: [{ label: 'x', type: 'select', options: many(30_000, (i) => ({ value: `o${i}`, label: 'x' })) }],
      },
      target.token,
    ),
    post(
      '/v1/cms/collections',
      {
        name: 'x',
        fields: [{ label: 'x', type: 'select', options: many(30_000, () => ({ value: 'same', label: 'x' })) }],
      },
      target.token,
    ),
    ...hostileTexts(200_000)
      .slice(0, 20)
      .map((text) =>
        post('/v1/cms/collections', { name: text, fields: [{ label: text, type: 'text' }] }, target.token),
      ),
  ]),
  requests('entries: hostile queries', (target) =>
    hostileTexts(1_400).flatMap((text) => {
      const value = encodeURIComponent(text.toWellFormed()).slice(0, 12_000).replace(/%.?$/, '');
      return [
        `q=${value}`,
        `sort=${value}`,
        `pageToken=${value}`,
        ...['title', 'count', 'day', 'at', 'kind', 'link', 'tags'].flatMap((field) =>
          ['eq', 'in', 'lt', 'contains'].map((operator) => `filter[${field}][${operator}]=${value}`),
        ),
        `filter[${value.slice(0, 2_000)}][eq]=x`,
      ].map((query) => get(`${entries(target)}?${query}`, target.token));
    }),
  ),
  requests('entries: many filters', (target) =>
    [
      'filter[title][eq]=x&',
      'filter[tags][ne]=x&',
      'filter[tags][in]=a,b&',
      'filter[title][contains]=abc&',
      'filter[count][gt]=1&',
      'sort=title:asc&',
      'a=&',
      '[]=&',
      'filter=&',
    ].map((part) => get(`${entries(target)}?${fill(part, 14_000)}`, target.token)),
  ),
];
