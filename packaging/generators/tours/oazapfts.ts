import { ok } from '@oazapfts/runtime';
import {
  createCollection,
  createEntry,
  defaults,
  getOverview,
  getPublicEntry,
  publishEntry,
  recordEvent,
  recordVisit,
  reportConversion,
} from '../clients/oazapfts';
import type { Access, Seen } from './tour';

/** The tour by the client of oazapfts. */
export async function tour({ url, token, apiKey, from, to }: Access): Promise<Seen> {
  Object.assign(defaults, { baseUrl: url, headers: { authorization: `Bearer ${token}` } });

  const collection = await ok(
    createCollection({
      name: 'Landing pages',
      publishing: true,
      public: true,
      fields: [{ id: 'headline', label: 'Headline', type: 'text', required: true }],
    }),
  );
  const entry = await ok(createEntry(collection.id, { values: { headline: 'Summer sale' } }));
  await ok(publishEntry(collection.id, entry.id));
  const headers = { authorization: `Bearer ${apiKey}` };
  const read = await ok(getPublicEntry(collection.id, entry.id, {}, { headers }));

  const landing = 'https://shop.example/summer?utm_source=google&gclid=oazapfts-click';
  const visit = await ok(recordVisit({ api_key: apiKey, url: landing }));
  const event = await ok(
    recordEvent({
      api_key: apiKey,
      event: 'newsletter_signed_up',
      properties: { email: 'ann@example.com', sessionHash: visit.sessionHash },
    }),
  );
  const reports = await ok(
    reportConversion([{ gclid: 'oazapfts-click', eventId: 'oazapfts-order', value: 129.9, currency: 'EUR' }]),
  );

  return {
    read: read.values,
    isBot: visit.isBot || event.isBot,
    reports: [reports].flat().map(({ status }) => status),
    overview: async () => (await ok(getOverview(from, to, { filterSource: ['google'] }))).current,
  };
}
