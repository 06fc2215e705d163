import sharp from 'sharp';
import { addEntriesTo } from '../content/index.ts';
import { parseId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';

/** A request of the service to itself, by the account's own token. */
export type Call = (
  method: 'GET' | 'POST',
  url: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<never>;

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
const COLOURS = ['#f2c6b6', '#cfe3d4', '#ffd98e', '#c9c6ec', '#f7d6e0', '#ffe7a3', '#d8c3a5', '#bfe0ea'];

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'summary', label: 'Summary', type: 'text' },
  { id: 'cover', label: 'Cover', type: 'asset' },
  {
    id: 'status',
    label: 'Status',
    type: 'select',
    options: [
      { value: 'draft', label: 'Draft' },
      { value: 'live', label: 'Live' },
    ],
  },
  { id: 'minutes', label: 'Reading time', type: 'number' },
  { id: 'published', label: 'Published', type: 'date' },
  { id: 'featured', label: 'Featured', type: 'boolean' },
  { id: 'link', label: 'Link', type: 'url' },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
];

/**
 * A collection of guides with pictures, and, where more entries are asked for, one for as many products.
 * @returns writes the products
 */
export async function writeContent(
  accountId: string,
  call: Call,
  entries: number,
  now: number,
): Promise<(db: Database) => Promise<void>> {
  const { id } = (await call('POST', '/v1/cms/collections', {
    name: 'Guides',
    description: 'What the shop tells about skin',
    displayFieldId: 'title',
    defaultSort: { fieldId: 'published', direction: 'desc' },
    fields: FIELDS,
  })) as { id: string };
  for (const [i, topic] of TOPICS.entries()) {
    const cover = await upload(call, `${topic.toLowerCase().replaceAll(' ', '-')}.jpg`, COLOURS[i] ?? '#ffffff', i);
    for (const part of [1, 2]) {
      const values = {
        title: part === 1 ? `${topic}: what helps` : `${topic}: three mistakes`,
        summary: `What our quiz takers ask most about ${topic.toLowerCase()}, answered in plain words.`,
        cover,
        status: i % 4 === 3 && part === 2 ? 'draft' : 'live',
        minutes: 3 + ((i * 7 + part) % 9),
        published: new Date(now - (i * 2 + part) * 3 * 86_400_000).toISOString().slice(0, 10),
        featured: i < 3,
        link: `https://shop.example/guides/${topic.toLowerCase().replaceAll(' ', '-')}`,
        tags: [topic.split(' ')[0]?.toLowerCase(), part === 1 ? 'how-to' : 'mistakes'],
      };
      await call('POST', `/v1/cms/collections/${id}/entries`, { values });
    }
  }
  return entries > TOPICS.length * 2 ? makeProducts(accountId, call, entries) : async () => {};
}

/** A picture of the demonstration's own: drops on a soft ground. */
async function upload(call: Call, name: string, colour: string, i: number): Promise<{ assetId: string }> {
  const picture = await sharp(paint(colour, i), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 82 })
    .toBuffer();
  const boundary = 'demo-picture';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const { assetId } = (await call('POST', '/v1/files/upload', body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })) as { assetId: string };
  return { assetId };
}

const WIDTH = 1200;
const HEIGHT = 800;

function paint(colour: string, i: number): Buffer {
  const tone = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
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
const KINDS = ['Serum', 'Cream', 'Cleanser', 'Mask', 'Oil', 'Toner'];
const AT_ONCE = 2_000;

async function makeProducts(accountId: string, call: Call, count: number): Promise<(db: Database) => Promise<void>> {
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
        id: 'kind',
        label: 'Kind',
        type: 'select',
        options: KINDS.map((label) => ({ value: label.toLowerCase(), label })),
      },
    ],
  })) as { id: string };
  const collection = parseId('col', id) ?? '';
  return (db) => writeProducts(db, accountId, collection, count);
}

async function writeProducts(db: Database, accountId: string, collection: string, count: number): Promise<void> {
  const word = (n: number) => WORDS[n % WORDS.length] ?? '';
  for (let from = 0; from < count; from += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => from + i);
    const entries = batch.map((i) => {
      const kind = KINDS[(i * 7) % KINDS.length] ?? '';
      const values = {
        name: `${word(i)} ${word(i * 5 + 3)} ${kind} ${i}`,
        text: `${kind} with ${word(i * 3)} and ${word(i * 11 + 1)}, for ${TOPICS[i % TOPICS.length]?.toLowerCase()}`,
        price: ((i * 7919) % 9_000) / 100 + 5,
        stock: (i * 104_729) % 500,
        live: i % 9 !== 0,
        since: new Date(1.6e12 + ((i * 86_413) % 2_000) * 86_400_000).toISOString().slice(0, 10),
        kind: kind.toLowerCase(),
      };
      return { values };
    });
    await db.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 0; set local synchronous_commit = off');
      await addEntriesTo(tx, accountId, collection, entries);
    });
  }
}
