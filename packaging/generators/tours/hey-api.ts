import {
  createCollection,
  createEntry,
  getOverview,
  getPublicEntry,
  publishEntry,
  recordEvent,
  recordVisit,
  reportConversion,
} from '../clients/hey-api';
import { client } from '../clients/hey-api/client.gen';
import type { Access, Seen } from './tour';

/** The tour by the client of hey-api. */
export async function tour({ url, token, apiKey, from, to }: Access): Promise<Seen> {
  client.setConfig({ baseUrl: url, auth: token });
  const throwOnError = true;

  const { data: collection } = await createCollection({
    throwOnError,
    body: {
      name: 'Landing pages',
      publishing: true,
      public: true,
      fields: [{ id: 'headline', label: 'Headline', type: 'text', required: true }],
    },
  });
  const path = { collectionId: collection.id };
  const { data: entry } = await createEntry({ throwOnError, path, body: { values: { headline: 'Summer sale' } } });
  const ofEntry = { ...path, entryId: entry.id };
  await publishEntry({ throwOnError, path: ofEntry });
  const { data: read } = await getPublicEntry({ throwOnError, path: ofEntry, auth: apiKey });

  const landing = 'https://shop.example/summer?utm_source=google&gclid=hey-api-click';
  const { data: visit } = await recordVisit({ throwOnError, body: { api_key: apiKey, url: landing } });
  const { data: event } = await recordEvent({
    throwOnError,
    body: {
      api_key: apiKey,
      event: 'newsletter_signed_up',
      properties: { email: 'ann@example.com', sessionHash: visit.sessionHash },
    },
  });
  const { data: reports } = await reportConversion({
    throwOnError,
    body: [{ gclid: 'hey-api-click', eventId: 'hey-api-order', value: 129.9, currency: 'EUR' }],
  });

  return {
    read: read.values,
    isBot: visit.isBot || event.isBot,
    reports: [reports].flat().map(({ status }) => status),
    overview: async () => {
      const { data } = await getOverview({ throwOnError, query: { from, to, 'filter[source]': ['google'] } });
      return data.current;
    },
  };
}
