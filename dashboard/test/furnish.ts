import { type Client, createClient } from '@headwater/sdk';
import sharp from 'sharp';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Generated landscape images, so that screens look real. */
async function picture(name: string, sky: string, ground: string, hill: number): Promise<File> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
    <defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="#fff4e6"/></linearGradient></defs>
    <rect width="1200" height="800" fill="url(#g)"/><circle cx="${900 - hill}" cy="230" r="80" fill="#fff" opacity=".8"/>
    <path d="M0 ${hill + 320}C300 ${hill + 180} 500 ${hill + 420} 800 ${hill + 260}S1100 ${hill + 240} 1200 ${hill + 300}V800H0z" fill="${ground}"/>
    <path d="M0 620C300 520 700 700 1200 560V800H0z" fill="${ground}" opacity=".6"/></svg>`;
  return new File([new Uint8Array(await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer())], name, {
    type: 'image/jpeg',
  });
}

export interface Furnished {
  client: Client;
  landingPages: string;
  entryIds: string[];
}

/** Fills an account like that of a small outdoor shop. */
export async function furnish(baseUrl: string, token: string, apiKey: string): Promise<Furnished> {
  // As a browser, because visits of programs are not counted.
  const headers = () => ({ 'user-agent': BROWSER });
  const client = createClient({ baseUrl, token, headers });
  const upload = async (...of: Parameters<typeof picture>) => {
    const { assetId } = await client.uploadFile({ file: await picture(...of) });
    return { assetId };
  };
  const hero = {
    summer: await upload('summer-lake.jpg', '#7fc4de', '#2f6d62', 120),
    autumn: await upload('autumn-ridge.jpg', '#e9b872', '#8a4b2f', 40),
    winter: await upload('winter-pass.jpg', '#b8d4ea', '#5b7590', 160),
    spring: await upload('spring-meadow.jpg', '#a8dcc0', '#4c8a3f', 80),
  };
  const pages = await client.createCollection({
    name: 'Landing pages',
    description: 'What the ads lead to',
    displayFieldId: 'headline',
    fields: [
      { id: 'headline', label: 'Headline', type: 'text', required: true },
      { id: 'hero', label: 'Hero', type: 'asset' },
      {
        id: 'state',
        label: 'State',
        type: 'select',
        options: [
          { value: 'draft', label: 'Draft' },
          { value: 'live', label: 'Live' },
          { value: 'paused', label: 'Paused' },
        ],
      },
      { id: 'budget', label: 'Budget', type: 'number' },
      { id: 'begins', label: 'Begins', type: 'date' },
      { id: 'address', label: 'Address', type: 'url' },
      { id: 'countdown', label: 'Countdown ends', type: 'timestamp' },
      { id: 'indexed', label: 'In search engines', type: 'boolean' },
      { id: 'body', label: 'Text', type: 'text' },
      {
        id: 'reasons',
        label: 'Reasons to buy',
        type: 'group',
        repeated: true,
        fields: [
          { id: 'title', label: 'Title', type: 'text', required: true },
          { id: 'text', label: 'Text', type: 'text' },
        ],
      },
    ],
  });
  const rows = [
    ['Summer sale: tents from 129', 'summer', 'live', 12_500, '2026-06-01', 'summer-tents', true],
    ['Sleep under the autumn sky', 'autumn', 'live', 8_200, '2026-09-15', 'autumn-bags', true],
    ['Winter boots, tested at −30°', 'winter', 'draft', 15_000, '2026-12-01', 'winter-boots', false],
    ['The first warm weekend', 'spring', 'paused', 4_300, '2026-03-20', 'spring', true],
    ['Free shipping until Sunday', 'summer', 'live', 2_000, '2026-07-10', 'shipping', false],
    ['Trail running, the short list', 'spring', 'live', 6_400, '2026-04-02', 'trail-running', true],
    ['Gift ideas under 50', 'winter', 'draft', 9_900, '2026-11-24', 'gifts', false],
    ['Rent before you buy', 'autumn', 'live', 3_150, '2026-08-18', 'rent', true],
  ] as const;
  const entryIds: string[] = [];
  for (const [headline, season, state, budget, begins, path, indexed] of rows) {
    const { id } = await client.createEntry(
      { collectionId: pages.id },
      {
        values: {
          headline,
          hero: hero[season],
          state,
          budget,
          begins,
          indexed,
          address: `https://outdoor.example/${path}`,
          countdown: '2026-12-24T18:00:00Z',
          body: 'Two people, three seasons, four minutes to pitch. Carried by hand, packed in a bag the size of a loaf.',
          reasons: [
            { title: 'Back in 60 days', text: 'Whatever the reason, we pay the way back.' },
            { title: 'Repaired for life', text: 'Send it to us, we mend it.' },
          ],
        },
      },
    );
    entryIds.push(id);
  }
  const authors = await client.createCollection({
    name: 'Authors',
    description: 'Who writes in the journal',
    fields: [{ id: 'name', label: 'Name', type: 'text', required: true }],
  });
  for (const name of ['Ada Berg', 'Jon Vik'])
    await client.createEntry({ collectionId: authors.id }, { values: { name } });
  await client.createCollection({ name: 'Prices', fields: [{ id: 'sku', label: 'SKU', type: 'text' }] });
  for (let visit = 0; visit < 30; visit++) {
    const url = `https://outdoor.example/start?gclid=click-${visit}&utm_source=google&utm_campaign=summer`;
    await client.recordVisit({ api_key: apiKey, url });
  }
  await client.reportConversion(
    Array.from({ length: 12 }, (_, i) => ({
      gclid: `click-${i}`,
      eventId: `order-${i}`,
      value: 89.9 + i,
      currency: 'EUR',
    })),
  );
  return { client, landingPages: pages.id, entryIds };
}
