import createClient from 'openapi-fetch';
import type { paths } from '../clients/openapi-typescript';
import type { Access, Seen } from './tour';

/** The tour by the types of openapi-typescript. */
export async function tour({ url, token, apiKey, from, to }: Access): Promise<Seen> {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const known = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
    if (data === undefined) throw new Error(JSON.stringify(error));
    return data;
  };

  const collection = known(
    await client.POST('/v1/cms/collections', {
      body: {
        name: 'Landing pages',
        publishing: true,
        public: true,
        fields: [{ id: 'headline', label: 'Headline', type: 'text', required: true }],
      },
    }),
  );
  const path = { collectionId: collection.id };
  const entry = known(
    await client.POST('/v1/cms/collections/{collectionId}/entries', {
      params: { path },
      body: { values: { headline: 'Summer sale' } },
    }),
  );
  const params = { path: { ...path, entryId: entry.id } };
  known(await client.POST('/v1/cms/collections/{collectionId}/entries/{entryId}/publish', { params }));
  const read = known(
    await client.GET('/v1/content/{collectionId}/{entryId}', {
      params,
      headers: { authorization: `Bearer ${apiKey}` },
    }),
  );

  const landing = 'https://shop.example/summer?utm_source=google&gclid=openapi-typescript-click';
  const visit = known(await client.POST('/v1/visits', { body: { api_key: apiKey, url: landing } }));
  const event = known(
    await client.POST('/v1/events', {
      body: {
        api_key: apiKey,
        event: 'newsletter_signed_up',
        properties: { email: 'ann@example.com', sessionHash: visit.sessionHash },
      },
    }),
  );
  const reports = known(
    await client.POST('/v1/analytics/report-conversion', {
      body: [{ gclid: 'openapi-typescript-click', eventId: 'openapi-typescript-order', value: 129.9, currency: 'EUR' }],
    }),
  );

  return {
    read: read.values,
    isBot: visit.isBot || event.isBot,
    reports: [reports].flat().map(({ status }) => status),
    overview: async () => {
      const query = { from, to, 'filter[source]': ['google'] };
      return known(await client.GET('/v1/analytics/overview', { params: { query } })).current;
    },
  };
}
