/** The fields of a collection as fields of a form. */
import { urlOf } from './client.js';

const PREFIX = 'value:';

/** Zapier's type by that of a field. Files are written by their ID, rich text as Markdown, and what has no counterpart, such as groups, as JSON. */
const TYPES = { text: 'text', number: 'number', boolean: 'boolean', timestamp: 'datetime' };
const PLAIN = ['date', 'url', 'select', 'asset'];

async function fieldsOf(z, bundle) {
  const { collectionId } = bundle.inputData;
  if (!collectionId) return [];
  const { data } = await z.request(urlOf(bundle, `/v1/cms/collections/${encodeURIComponent(collectionId)}`));
  return data.fields.filter(({ status, computed }) => status === 'active' && computed === undefined);
}

const isPlain = ({ type, format }) => PLAIN.includes(type) || (type in TYPES && !['json', 'point'].includes(format));

/** Exact numbers are written as text. */
const typeOf = ({ type, format }) => (type === 'number' && format ? 'string' : (TYPES[type] ?? 'string'));

function helpOf(field) {
  if (!isPlain(field)) return 'As JSON';
  if (field.format === 'richtext') return 'As Markdown';
  if (field.format === 'reference') return 'The ID of an entry';
  return { asset: 'The ID of a file', date: 'YYYY-MM-DD' }[field.type];
}

export async function valueFields(z, bundle, isCreate) {
  const fields = await fieldsOf(z, bundle);
  return fields.map((field) => ({
    key: PREFIX + field.id,
    label: field.label,
    required: isCreate && field.required === true,
    type: typeOf(field),
    ...(helpOf(field) && { helpText: helpOf(field) }),
    ...(field.repeated && isPlain(field) && { list: true }),
    ...(field.type === 'select' && {
      choices: field.options
        .filter(({ status }) => status === 'active')
        .map(({ value, label }) => ({ value, label, sample: value })),
    }),
  }));
}

export async function valuesOf(z, bundle) {
  const fields = await fieldsOf(z, bundle);
  const { inputData } = bundle;
  const isFilled = ({ id }) => !['', null, undefined].includes(inputData[PREFIX + id]);
  return Object.fromEntries(
    fields.filter(isFilled).map((field) => [field.id, valueFrom(z, field, inputData[PREFIX + field.id])]),
  );
}

function valueFrom(z, field, value) {
  const { type, format } = field;
  if (Array.isArray(value)) return value.map((each) => valueFrom(z, { ...field, repeated: false }, each));
  if (type === 'asset') return { assetId: value };
  if (format === 'richtext') return { markdown: value };
  if (isPlain(field) || typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new z.errors.Error(`${field.label} is no JSON.`, 'json_invalid', 400);
  }
}
