/**
 * Generates the custom app of Make, as its extension for VS Code reads and deploys it: `makecomapp.json` lists the components, whose code is
 * in files beside it. Expressions are limited to what Make documents: paths, `get` and `toCollection`.
 */
import type { DescribedAction, DescribedTrigger, Description, Field } from './describe.ts';

type Json = unknown;
type Files = [string, string][];

const CONNECTION = 'headwater';
const LIST_COLLECTIONS = 'listCollections';
const COLLECTION_FIELDS = 'collectionFields';

const file = (path: string, value: Json): [string, string] => [
  `make/src/${path}`,
  `${JSON.stringify(value, null, 2)}\n`,
];

/** Make's form of a value of the sample, so that later modules can map its members. */
function outputOf(name: string, value: Json): Json {
  const common = { name, label: name };
  if (Array.isArray(value)) {
    const [first] = value;
    if (typeof first !== 'object' || first === null) return { ...common, type: 'array' };
    return { ...common, type: 'array', spec: interfaceOf(first as Record<string, Json>) };
  }
  if (typeof value === 'object' && value !== null) {
    const spec = interfaceOf(value as Record<string, Json>);
    return { ...common, type: 'collection', ...(spec.length > 0 && { spec }) };
  }
  if (typeof value === 'boolean') return { ...common, type: 'boolean' };
  if (typeof value === 'number') return { ...common, type: 'number' };
  return { ...common, type: typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? 'date' : 'text' };
}

const interfaceOf = (sample: Record<string, Json>): Json[] =>
  Object.entries(sample).map(([name, value]) => outputOf(name, value));

const collectionChoice = (isRequired: boolean, isMultiple = false): Json => ({
  name: isMultiple ? 'collectionIds' : 'collectionId',
  label: isMultiple ? 'Collections' : 'Collection',
  type: 'select',
  options: { store: `rpc://${LIST_COLLECTIONS}` },
  ...(isMultiple ? { multiple: true, help: 'All if none is chosen' } : { required: isRequired, mappable: true }),
});

function parametersOf({ key, label, help, type, isRequired, choices = [] }: Field): Json[] {
  const common = { name: key, label, ...(help !== '' && { help }), required: isRequired };
  const options = choices.map((value) => ({ label: value, value }));
  switch (type) {
    case 'collection':
      return [collectionChoice(isRequired)];
    case 'values':
      return [{ ...common, type: 'collection', spec: [`rpc://${COLLECTION_FIELDS}`] }];
    case 'identifier':
      return [
        {
          ...common,
          type: 'select',
          options: choices.map((name) => ({
            label: name,
            value: name,
            nested: [{ name, label: name, type: 'text', required: true }],
          })),
        },
      ];
    case 'choice':
      return [{ ...common, type: 'select', options }];
    case 'json':
      if (key === 'where') return [{ ...common, type: 'text', multiline: true }];
      return [
        {
          ...common,
          type: 'array',
          spec: [
            { name: 'name', label: 'Name', type: 'text', required: true },
            { name: 'value', label: 'Value', type: 'any' },
          ],
        },
      ];
    case 'time':
      return [{ ...common, type: 'date' }];
    case 'integer':
      return [{ ...common, type: 'uinteger' }];
    default:
      return [{ ...common, type: type === 'boolean' || type === 'number' ? type : 'text' }];
  }
}

/** Members without a value are left out by Make, and the service ignores identifiers that are empty. */
function bodyOf({ fields, route }: DescribedAction): Json {
  const members = fields
    .filter((field) => field.in === 'body')
    .flatMap(({ key, type, choices = [] }): [string, Json][] => {
      if (type === 'identifier') return choices.map((name) => [name, `{{parameters.${name}}}`]);
      if (type === 'json') return [[key, `{{toCollection(parameters.${key}, 'name', 'value')}}`]];
      return [[key, `{{parameters.${key}}}`]];
    });
  // Events are recorded by the key in their body.
  const key = route === 'POST /v1/events' ? { api_key: '{{connection.token}}' } : {};
  return { ...Object.fromEntries(members), ...key };
}

const pathOf = (path: string) => path.replace(/\{(\w+)\}/g, '{{encodeURL(parameters.$1)}}');

function actionFiles(action: DescribedAction): Files {
  const { key, method, path, fields, list, sample } = action;
  const query = fields.filter((field) => field.in === 'query' && field.key !== 'pageSize');
  const communication = {
    url: pathOf(path),
    method,
    ...(query.length > 0 && { qs: Object.fromEntries(query.map((each) => [each.key, `{{parameters.${each.key}}}`])) }),
    ...(method !== 'GET' && { body: bodyOf(action) }),
    response: list
      ? { limit: '{{parameters.limit}}', iterate: `{{body.${list}}}`, output: '{{item}}' }
      : { output: '{{body}}' },
    ...(list && {
      pagination: { qs: { pageToken: '{{body.nextPageToken}}' }, condition: '{{body.nextPageToken}}' },
    }),
  };
  const limit = { name: 'limit', label: 'Limit', type: 'uinteger', default: 10, required: true };
  const parameters = fields.filter((field) => field.key !== 'pageSize').flatMap(parametersOf);
  return [
    file(`modules/${key}/communication.iml.json`, communication),
    file(`modules/${key}/mappable-params.iml.json`, list ? [...parameters, limit] : parameters),
    file(`modules/${key}/interface.iml.json`, interfaceOf(sample)),
    file(`modules/${key}/samples.iml.json`, sample),
  ];
}

/** Conditions of the user: the operator decides what the value is. */
function conditions(operators: string[]): Json {
  const value = (type: string, extra = {}) => [{ name: 'value', label: 'Value', type, required: true, ...extra }];
  const nested: Record<string, Json> = {
    in: value('array', { spec: { name: 'value', type: 'text' } }),
    exists: value('boolean'),
    ...Object.fromEntries(['lt', 'lte', 'gt', 'gte'].map((operator) => [operator, value('number')])),
  };
  return {
    name: 'filters',
    label: 'Conditions',
    type: 'array',
    spec: [
      {
        name: 'field',
        label: 'Field',
        type: 'text',
        required: true,
        help: 'A member of data, such as session.campaign',
      },
      {
        name: 'operator',
        label: 'Operator',
        type: 'select',
        required: true,
        options: operators.map((name) => ({ label: name, value: name, nested: nested[name] ?? value('text') })),
      },
    ],
  };
}

function triggerFiles(trigger: DescribedTrigger, operators: string[]): Files {
  const { key, label, topics, filters, isByCollection, sample } = trigger;
  const parameters = [
    ...(isByCollection ? [collectionChoice(false, true)] : []),
    ...(filters ? [] : [conditions(operators)]),
  ];
  const chosen = (name: string) => `{{if(length(parameters.${name}) > 0, parameters.${name}, null)}}`;
  return [
    file(`webhooks/${key}/params.iml.json`, parameters),
    file(`webhooks/${key}/attach.iml.json`, {
      url: '/v1/webhooks',
      method: 'POST',
      body: {
        url: '{{webhook.url}}',
        events: topics,
        description: `Make: ${label}`,
        filters: filters ?? chosen('filters'),
        ...(isByCollection && { collectionIds: chosen('collectionIds') }),
      },
      response: { data: { externalHookId: '{{body.id}}' } },
    }),
    file(`webhooks/${key}/detach.iml.json`, { url: '/v1/webhooks/{{webhook.externalHookId}}', method: 'DELETE' }),
    file(`webhooks/${key}/communication.iml.json`, { output: '{{body}}' }),
    // Expressions cannot compute the signature, as they do not see the body as it was sent. So the message is read from the service: a
    // forged one is not among the deliveries of this webhook.
    file(`modules/${key}/communication.iml.json`, {
      url: '/v1/webhooks/{{webhook.externalHookId}}/deliveries/{{payload.id}}',
      method: 'GET',
      response: { output: '{{body.payload}}' },
    }),
    file(`modules/${key}/interface.iml.json`, interfaceOf(sample)),
    file(`modules/${key}/samples.iml.json`, sample),
  ];
}

const code = (folder: string, names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([name, path]) => [name, `${folder}/${path}.iml.json`]));

function components({ triggers, actions }: Description): Json {
  const shared = { connection: CONNECTION, altConnection: null };
  const webhook = triggers.map(({ key, label }) => {
    const names = { communication: 'communication', params: 'params', attach: 'attach', detach: 'detach' };
    return [key, { label, webhookType: 'web', ...shared, codeFiles: code(`webhooks/${key}`, names) }];
  });
  const output = { communication: 'communication', interface: 'interface', samples: 'samples' };
  const instant = triggers.map(({ key, label, description }) => [
    key,
    {
      label,
      description,
      moduleType: 'instant_trigger',
      webhook: key,
      ...shared,
      codeFiles: code(`modules/${key}`, output),
    },
  ]);
  const others = actions.map(({ key, label, description, type }) => [
    key,
    {
      label,
      description,
      ...(type === 'search' ? { moduleType: 'search' } : { moduleType: 'action', actionCrud: type }),
      ...shared,
      codeFiles: code(`modules/${key}`, { ...output, mappableParams: 'mappable-params' }),
    },
  ]);
  const rpc = [LIST_COLLECTIONS, COLLECTION_FIELDS].map((key) => [
    key,
    { label: key, ...shared, codeFiles: code(`rpcs/${key}`, { communication: 'communication' }) },
  ]);
  return {
    connection: {
      [CONNECTION]: {
        label: 'Headwater',
        connectionType: 'basic',
        codeFiles: code(`connections/${CONNECTION}`, { communication: 'communication', params: 'params' }),
      },
    },
    webhook: Object.fromEntries(webhook),
    module: Object.fromEntries([...instant, ...others]),
    rpc: Object.fromEntries(rpc),
    function: {},
    endpoint: {},
  };
}

function sharedFiles({ triggers, actions }: Description): Files {
  const headers = { 'x-api-key': 'Bearer {{connection.token}}' };
  const log = { sanitize: ['request.headers.x-api-key', 'request.body.api_key', 'response.body.secret'] };
  const error = { message: '[{{statusCode}}] {{body.detail}}', type: 'RuntimeError' };
  return [
    file('general/base.iml.json', { baseUrl: '{{connection.url}}', headers, response: { error }, log }),
    file('modules/groups.json', [
      { label: 'Triggers', modules: triggers.map(({ key }) => key) },
      { label: 'Actions', modules: actions.map(({ key }) => key) },
    ]),
    file(`connections/${CONNECTION}/params.iml.json`, [
      {
        name: 'url',
        label: 'URL',
        type: 'url',
        required: true,
        help: 'Where your Headwater runs, such as https://headwater.example, without a slash at the end',
      },
      {
        name: 'token',
        label: 'API token',
        type: 'password',
        required: true,
        help: 'A secret token of Settings › API keys. Its role needs webhooks for triggers.',
      },
    ]),
    file(`connections/${CONNECTION}/communication.iml.json`, {
      url: '{{parameters.url}}/v1/account',
      method: 'GET',
      headers: { 'x-api-key': 'Bearer {{parameters.token}}' },
      response: {
        error: { message: '[{{statusCode}}] {{body.detail}}' },
        data: { url: '{{parameters.url}}', token: '{{parameters.token}}' },
        uid: '{{body.id}}',
        metadata: { type: 'text', value: '{{body.name}}' },
      },
      log: { sanitize: ['request.headers.x-api-key'] },
    }),
    file(`rpcs/${LIST_COLLECTIONS}/communication.iml.json`, {
      url: '/v1/cms/collections',
      method: 'GET',
      qs: { pageSize: 100 },
      response: { iterate: '{{body.collections}}', output: { label: '{{item.name}}', value: '{{item.id}}' } },
      pagination: { qs: { pageToken: '{{body.nextPageToken}}' }, condition: '{{body.nextPageToken}}' },
    }),
    file(`rpcs/${COLLECTION_FIELDS}/communication.iml.json`, {
      url: '/v1/cms/collections/{{encodeURL(parameters.collectionId)}}',
      method: 'GET',
      // What is not named here is `any`: groups, files and repeated fields are mapped as they are.
      temp: { types: { text: 'text', number: 'number', boolean: 'boolean', timestamp: 'date', url: 'url' } },
      response: {
        iterate: { container: '{{body.fields}}', condition: "{{item.status = 'active'}}" },
        output: {
          name: '{{item.id}}',
          label: '{{item.label}}',
          type: "{{if(item.repeated, 'any', ifempty(get(temp.types, item.type), 'any'))}}",
        },
      },
    }),
  ];
}

export function makeFiles(description: Description): Files {
  const { triggers, actions, operators } = description;
  return [
    file('makecomapp.json', {
      fileVersion: 1,
      generalCodeFiles: {
        base: 'general/base.iml.json',
        common: null,
        readme: null,
        groups: 'modules/groups.json',
      },
      components: components(description),
      origins: [],
    }),
    ...sharedFiles(description),
    ...triggers.flatMap((each) => triggerFiles(each, operators)),
    ...actions.flatMap(actionFiles),
  ];
}
