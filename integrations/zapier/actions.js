/** Searches and creates: each fills a form into one request. */
import { urlOf } from './client.js';
import description from './description.js';
import { collectionField } from './triggers.js';
import { valueFields, valuesOf } from './values.js';

const TYPES = { integer: 'integer', number: 'number', boolean: 'boolean', time: 'datetime', json: 'text' };

function inputFields({ key, label, help, type, isRequired, choices }) {
  const common = { key, label, required: isRequired, ...(help && { helpText: help }) };
  switch (type) {
    case 'collection':
      return [{ ...collectionField, required: isRequired, altersDynamicFields: true }];
    case 'choice':
      return [{ ...common, type: 'string', choices }];
    case 'identifier':
      return [
        { ...common, type: 'string', choices },
        { key: 'identifierValue', label: 'Identifier Value', type: 'string', required: true },
      ];
    default:
      return [{ ...common, type: TYPES[type] ?? 'string' }];
  }
}

const isFilled = (value) => value !== undefined && value !== null && value !== '';

function parsed(z, text, label) {
  try {
    return JSON.parse(text);
  } catch {
    throw new z.errors.Error(`${label} is no JSON.`, 'json_invalid', 400);
  }
}

async function send(z, bundle, { method, path, route, fields, list }) {
  const input = bundle.inputData;
  const params = {};
  const body = {};
  let filledPath = path;
  for (const { key, label, type, in: place } of fields) {
    if (type === 'values') {
      body[key] = await valuesOf(z, bundle);
    } else if (type === 'identifier') {
      body[input[key]] = input.identifierValue;
    } else if (!isFilled(input[key])) {
      // What is not filled in is not sent.
    } else if (place === 'path') {
      filledPath = filledPath.replace(`{${key}}`, encodeURIComponent(input[key]));
    } else if (place === 'query') {
      params[key] = input[key];
    } else {
      body[key] = type === 'json' ? parsed(z, input[key], label) : input[key];
    }
  }
  // Events are recorded by the key in their body.
  if (route === 'POST /v1/events') body.api_key = bundle.authData.token;
  const request = { method, url: urlOf(bundle, filledPath), params };
  const { data } = await z.request(method === 'GET' ? request : { ...request, body });
  return list ? data[list] : data;
}

function actionOf(action) {
  const { key, noun, label, description: text, fields, sample } = action;
  const hasValues = fields.some(({ type }) => type === 'values');
  return {
    key,
    noun,
    display: { label, description: text },
    operation: {
      inputFields: [
        ...fields.filter(({ type }) => type !== 'values').flatMap(inputFields),
        ...(hasValues ? [(z, bundle) => valueFields(z, bundle, action.type === 'create')] : []),
      ],
      perform: (z, bundle) => send(z, bundle, action),
      sample,
    },
  };
}

const ofType = (isSearch) =>
  Object.fromEntries(
    description.actions
      .filter(({ type }) => (type === 'search') === isSearch)
      .map((each) => [each.key, actionOf(each)]),
  );

export const searches = ofType(true);
export const creates = ofType(false);
