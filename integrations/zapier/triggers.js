/** Each trigger creates a webhook when its Zap is turned on, and deletes it when it is turned off. */
import { urlOf } from './client.js';
import description from './description.js';
import { isSigned } from './signature.js';

const COLLECTIONS = 'collections';

/** The hidden list that forms choose a collection from. */
export const collections = {
  key: COLLECTIONS,
  noun: 'Collection',
  display: { label: 'List Collections', description: 'Lists the collections of the account.', hidden: true },
  operation: {
    async perform(z, bundle) {
      const all = [];
      let pageToken;
      do {
        const params = { pageSize: 100, pageToken };
        const { data } = await z.request({ url: urlOf(bundle, '/v1/cms/collections'), params });
        all.push(...data.collections);
        pageToken = data.nextPageToken;
      } while (pageToken);
      return all.map(({ id, name }) => ({ id, name }));
    },
    sample: { id: 'col_01kaf9m8t0a6t3e1n8r5c2x9vf', name: 'Articles' },
  },
};

export const collectionField = {
  key: 'collectionId',
  label: 'Collection',
  type: 'string',
  dynamic: `${COLLECTIONS}.id.name`,
};

const NUMERIC = ['lt', 'lte', 'gt', 'gte'];

/** Values of forms are text; the comparison of amounts needs numbers. */
function conditionOf({ field, operator, value = '' }) {
  if (operator === 'in') return { field, operator, value: value.split(',').map((each) => each.trim()) };
  if (operator === 'exists') return { field, operator, value: value !== 'false' };
  const isNumber = NUMERIC.includes(operator) && value.trim() !== '' && Number.isFinite(Number(value));
  return { field, operator, value: isNumber ? Number(value) : value };
}

function triggerOf({ key, label, description: text, noun, topics, filters = [], isByCollection, recent, sample }) {
  const conditions = {
    key: 'filters',
    label: 'Conditions',
    children: [
      { key: 'field', label: 'Field', type: 'string', helpText: 'A member of data, such as session.campaign' },
      { key: 'operator', label: 'Operator', type: 'string', choices: description.operators },
      { key: 'value', label: 'Value', type: 'string', helpText: 'With “in”: values separated by commas' },
    ],
  };
  return {
    key,
    noun,
    display: { label, description: text },
    operation: {
      type: 'hook',
      inputFields: [...(isByCollection ? [collectionField] : []), conditions],
      async performSubscribe(z, bundle) {
        const { collectionId, filters: chosen = [] } = bundle.inputData;
        const all = [...filters, ...chosen.filter(({ field, operator }) => field && operator).map(conditionOf)];
        const { data } = await z.request({
          method: 'POST',
          url: urlOf(bundle, '/v1/webhooks'),
          body: {
            url: bundle.targetUrl,
            events: topics,
            description: `Zapier: ${label}`,
            ...(all.length > 0 && { filters: all }),
            ...(collectionId && { collectionIds: [collectionId] }),
          },
        });
        return { id: data.id, secret: data.secret };
      },
      async performUnsubscribe(z, bundle) {
        const url = urlOf(bundle, `/v1/webhooks/${bundle.subscribeData.id}`);
        const { data } = await z.request({ method: 'DELETE', url });
        return { id: data.id };
      },
      perform(z, bundle) {
        if (!isSigned(bundle.rawRequest, bundle.subscribeData?.secret)) {
          throw new z.errors.Error('The signature of the message is invalid.', 'signature_invalid', 401);
        }
        return [bundle.cleanedRequest];
      },
      /** Recent items in the shape of a message, as far as lists have its members; else the example of the docs. */
      async performList(z, bundle) {
        if (!recent) return [sample];
        const { data } = await z.request({ url: urlOf(bundle, recent), params: { pageSize: 3 } });
        const items = Object.values(data).find(Array.isArray) ?? [];
        const names = Object.keys(sample.data);
        const messages = items.map((item) => ({
          id: item.id,
          type: topics[0],
          timestamp: item.updatedAt ?? item.firstSeenAt,
          data: Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])),
        }));
        return messages.length > 0 ? messages : [sample];
      },
      sample,
    },
  };
}

export const triggers = Object.fromEntries(description.triggers.map((each) => [each.key, triggerOf(each)]));
