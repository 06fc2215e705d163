import sharp from 'sharp';
import { seedEntries } from '../content/index.ts';
import { parseId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { DAY } from '../shared/units.ts';
import type { Call } from './call.ts';
import { publishGuides } from './publishing.ts';

const TOPICS = [
  'Dry skin',
  'Oily skin',
  'Sun care',
  'Night routine',
  'Sensitive skin',
  'Vitamin C',
  'Retinol',
  'Travel kit',
];
const COLORS = ['#f2c6b6', '#cfe3d4', '#ffd98e', '#c9c6ec', '#f7d6e0', '#ffe7a3', '#d8c3a5', '#bfe0ea'];

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true, localized: true },
  { id: 'summary', label: 'Summary', type: 'text', localized: true },
  { id: 'cover', label: 'Cover', type: 'asset' },
  {
    id: 'kind',
    label: 'Kind',
    type: 'select',
    options: [
      { value: 'article', label: 'Article' },
      { value: 'checklist', label: 'Checklist' },
    ],
  },
  { id: 'minutes', label: 'Reading time', type: 'number' },
  { id: 'published', label: 'Date', type: 'date' },
  { id: 'featured', label: 'Featured', type: 'boolean' },
  { id: 'link', label: 'Link', type: 'url' },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', localized: true },
  { id: 'body', label: 'Body', type: 'text', format: 'richtext' },
];

const LOCALES = {
  default: 'en',
  locales: [{ locale: 'en' }, { locale: 'de' }, { locale: 'de-AT', fallback: 'de' }],
};

/** Of the first topics; the others are not translated yet. */
const GERMAN = ['Trockene Haut', 'Fettige Haut', 'Sonnenschutz', 'Abendroutine', 'Empfindliche Haut'];

const AUTHORS = [
  { name: 'Mara Lind', email: 'mara@shop.example', about: 'Dermatologist. Answers **every** letter.' },
  { name: 'Jonas Weber', email: 'jonas@shop.example', about: 'Chemist, mixes *and* reads labels.' },
];

/**
 * Creates a collection of guides with images and authors, most of them published, and, for sizes with more entries, one of products.
 * @returns a function that writes the products
 */
export async function createContent(
  accountId: string,
  call: Call,
  entries: number,
  now: number,
): Promise<(db: Database) => Promise<void>> {
  await call('PUT', '/v1/cms/locales', LOCALES);
  const authors = (await call('POST', '/v1/cms/collections', {
    name: 'Authors',
    fields: [
      { id: 'name', label: 'Name', type: 'text', required: true },
      { id: 'email', label: 'Email', type: 'text', format: 'email' },
      { id: 'about', label: 'About', type: 'text', format: 'markdown' },
    ],
  })) as { id: string };
  const authorIds: string[] = [];
  for (const values of AUTHORS) {
    const entry = (await call('POST', `/v1/cms/collections/${authors.id}/entries`, { values })) as { id: string };
    authorIds.push(entry.id);
  }
  const author = { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: [authors.id] };
  const { id } = (await call('POST', '/v1/cms/collections', {
    name: 'Guides',
    description: 'Articles about skin care',
    displayFieldId: 'title',
    defaultSort: { fieldId: 'published', direction: 'desc' },
    publishing: true,
    public: true,
    fields: [...FIELDS, author],
  })) as { id: string };
  const guideIds: string[] = [];
  for (const [i, topic] of TOPICS.entries()) {
    const cover = await upload(call, `${topic.toLowerCase().replaceAll(' ', '-')}.jpg`, COLORS[i] ?? '#ffffff', i);
    const german = GERMAN[i];
    for (const part of [1, 2]) {
      const values = {
        title: part === 1 ? `${topic}: what helps` : `${topic}: three mistakes`,
        ...(german !== undefined && {
          'title@de': part === 1 ? `${german}: Was hilft` : `${german}: Drei Fehler`,
          'summary@de': part === 1 ? `Unsere Antworten auf häufige Fragen: ${german}.` : null,
        }),
        summary: `What our quiz takers ask most about ${topic.toLowerCase()}, answered in plain words.`,
        cover,
        kind: i % 4 === 3 && part === 2 ? 'checklist' : 'article',
        minutes: 3 + ((i * 7 + part) % 9),
        published: new Date(now - (i * 2 + part) * 3 * DAY).toISOString().slice(0, 10),
        featured: i < 3,
        link: `https://shop.example/guides/${topic.toLowerCase().replaceAll(' ', '-')}`,
        author: authorIds[i % authorIds.length],
        body: { markdown: `## ${topic}\n\nStart with **one** change a week:\n\n* cleanse\n* care\n* protect` },
        tags: [topic.split(' ')[0]?.toLowerCase(), part === 1 ? 'how-to' : 'mistakes'],
      };
      const guide = (await call('POST', `/v1/cms/collections/${id}/entries`, { values })) as { id: string };
      guideIds.push(guide.id);
    }
  }
  await publishGuides(call, id, guideIds, now);
  return entries > TOPICS.length * 2 + AUTHORS.length ? createProducts(accountId, call, entries) : async () => {};
}

/** Uploads a generated image: drops on a gradient. */
async function upload(call: Call, name: string, color: string, i: number): Promise<{ assetId: string }> {
  const image = await sharp(paint(color, i), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 82 })
    .toBuffer();
  const boundary = 'demo-image';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const { assetId } = (await call('POST', '/v1/files/upload', body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })) as { assetId: string };
  return { assetId };
}

const WIDTH = 1200;
const HEIGHT = 800;

function paint(color: string, i: number): Buffer {
  const tone = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const drops = Array.from({ length: 5 }, (_, n) => ({
    x: ((i * 311 + n * 367) % 1000) + 100,
    y: ((i * 173 + n * 229) % 600) + 100,
    size: 60 + ((i * 53 + n * 97) % 130),
  }));
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let light = 0.75 - (0.5 * y) / HEIGHT;
      for (const drop of drops) {
        const near = 1 - Math.hypot(x - drop.x, y - drop.y) / drop.size;
        if (near > 0) light += Math.min(1, near * 8) * (0.25 - 0.45 * near);
      }
      for (const part of tone) pixels[at++] = Math.max(0, Math.min(255, part + (255 - part) * light));
    }
  }
  return pixels;
}

const WORDS = 'amber basil cedar dew ember fern glow harbor iris jasmine kelp lumen mint nectar olive pearl'.split(' ');
const CATEGORIES = ['Serum', 'Cream', 'Cleanser', 'Mask', 'Oil', 'Toner'];
const BATCH_SIZE = 2_000;

async function createProducts(accountId: string, call: Call, count: number): Promise<(db: Database) => Promise<void>> {
  const { id } = (await call('POST', '/v1/cms/collections', {
    name: 'Products',
    displayFieldId: 'name',
    fields: [
      { id: 'name', label: 'Name', type: 'text', required: true },
      { id: 'text', label: 'Text', type: 'text' },
      { id: 'price', label: 'Price', type: 'number' },
      { id: 'stock', label: 'In stock', type: 'number' },
      { id: 'live', label: 'Live', type: 'boolean' },
      { id: 'since', label: 'Since', type: 'date' },
      {
        id: 'category',
        label: 'Category',
        type: 'select',
        options: CATEGORIES.map((label) => ({ value: label.toLowerCase(), label })),
      },
    ],
  })) as { id: string };
  const collection = parseId('col', id) ?? '';
  return (db) => writeProducts(db, accountId, collection, count);
}

async function writeProducts(db: Database, accountId: string, collection: string, count: number): Promise<void> {
  const word = (n: number) => WORDS[n % WORDS.length] ?? '';
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, i) => from + i);
    const entries = batch.map((i) => {
      const category = CATEGORIES[(i * 7) % CATEGORIES.length] ?? '';
      const values = {
        name: `${word(i)} ${word(i * 5 + 3)} ${category} ${i}`,
        text: `${category} with ${word(i * 3)} and ${word(i * 11 + 1)}, for ${TOPICS[i % TOPICS.length]?.toLowerCase()}`,
        price: ((i * 7919) % 9_000) / 100 + 5,
        stock: (i * 104_729) % 500,
        live: i % 9 !== 0,
        since: new Date(1.6e12 + ((i * 86_413) % 2_000) * DAY).toISOString().slice(0, 10),
        category: category.toLowerCase(),
      };
      return { values };
    });
    await db.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 0; set local synchronous_commit = off');
      await seedEntries(tx, accountId, collection, entries);
    });
  }
}
