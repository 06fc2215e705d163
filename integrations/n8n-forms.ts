/** Generates the parameters of the n8n nodes. They are declarative: n8n itself makes the requests. */
import { type DescribedAction, type Description, type Field, label as labelOf } from './describe.ts';

type Property = Record<string, unknown>;

/** The name of a function in the code of a node. */
class Code {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const RAISE_PROBLEM = new Code('raiseProblem');

const RESOURCES: Record<string, string> = {
  Entry: 'entry',
  Lead: 'lead',
  Conversion: 'conversion',
  'Unmatched Conversion': 'conversion',
  Session: 'session',
  Event: 'event',
};
const resourceOf = ({ noun }: DescribedAction) => RESOURCES[noun] ?? noun.toLowerCase();

const COLLECTIONS = {
  loadOptions: {
    routing: {
      request: { method: 'GET', url: '/v1/cms/collections', qs: { pageSize: 100 } },
      output: {
        postReceive: [
          { type: 'rootProperty', properties: { property: 'collections' } },
          { type: 'setKeyValue', properties: { name: '={{$responseItem.name}}', value: '={{$responseItem.id}}' } },
          { type: 'sort', properties: { key: 'name' } },
        ],
      },
    },
  },
};

const byName = (a: { name: string }, b: { name: string }) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);

const OPERATORS: Record<string, string> = {
  eq: 'Equals',
  ne: 'Does Not Equal',
  in: 'Is One Of',
  lt: 'Is Less Than',
  lte: 'Is at Most',
  gt: 'Is Greater Than',
  gte: 'Is at Least',
};

/** Names of options in title case, which the linter asks for; names of click IDs are abbreviations. */
function option(value: string) {
  const [name = '', direction] = value.split(':');
  if (direction) return { name: `${labelOf(name)}, ${direction === 'asc' ? 'Ascending' : 'Descending'}`, value };
  return { name: OPERATORS[value] ?? labelOf(value), value };
}
const identifier = (value: string) =>
  /[A-Z]/.test(value) || value === 'hash' ? option(value) : { name: value.toUpperCase(), value };

/** Sent if it is filled in, parsed if it is JSON. 0 is a value, except of versions, which start at 1. */
function routing({ key, type, in: place }: Field): Property {
  const filled =
    type === 'integer' ? '={{ $value || undefined }}' : "={{ $value === '' || $value === null ? undefined : $value }}";
  if (place === 'query') return { send: { type: 'query', property: key, value: filled } };
  const isJson = type === 'json' || type === 'values';
  const value = isJson ? "={{ typeof $value === 'string' ? JSON.parse($value) : $value }}" : filled;
  return { send: { type: 'body', property: key, value } };
}

function property(field: Field): Property {
  const { key, label, help, type, isRequired, choices = [] } = field;
  const common = {
    displayName: label,
    name: key,
    ...(isRequired && { required: true }),
    ...(field.in !== 'path' && type !== 'identifier' && { routing: routing(field) }),
  };
  switch (type) {
    case 'collection':
      return {
        ...common,
        displayName: `${label} Name or ID`,
        type: 'options',
        typeOptions: COLLECTIONS,
        default: '',
        description:
          'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      };
    case 'identifier':
    case 'choice':
      return {
        ...common,
        type: 'options',
        options: choices.map(['identifier', 'platform'].includes(key) ? identifier : option).sort(byName),
        default: choices[0],
        ...describedBy(help),
      };
    case 'values':
    case 'json':
      return { ...common, type: 'json', default: type === 'values' ? '{}' : '', ...describedBy(help) };
    case 'integer':
      return { ...common, type: 'number', default: 0, ...describedBy(help) };
    case 'time':
      return { ...common, type: 'dateTime', default: '', ...describedBy(help) };
    default:
      return { ...common, type: 'string', default: '', ...describedBy(help) };
  }
}

const describedBy = (text: string) =>
  text === '' ? {} : { description: text.replaceAll('<', '&lt;').replaceAll('>', '&gt;') };

function parametersOf(action: DescribedAction): Property[] {
  const show = { resource: [resourceOf(action)], operation: [action.key] };
  const shown = (each: Property) => ({ ...each, displayOptions: { show } });
  const isLimit = ({ key }: Field) => key === 'pageSize';
  const required = action.fields.filter(({ isRequired }) => isRequired);
  const optional = action.fields.filter((field) => !field.isRequired && !isLimit(field));
  const identified = {
    displayName: 'Identifier Value',
    name: 'identifierValue',
    type: 'string',
    required: true,
    default: '',
    routing: { send: { type: 'body', property: '={{$parameter.identifier}}' } },
  };
  const paging = [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      routing: { send: { paginate: '={{ $value }}', type: 'query', property: 'pageSize', value: '=100' } },
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 100 },
      default: 50,
      description: 'Max number of results to return',
      routing: { send: { type: 'query', property: 'pageSize', value: '={{ $value }}' } },
    },
  ];
  const options = {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: optional.map(property).sort((a, b) => (String(a.displayName) < String(b.displayName) ? -1 : 1)),
  };
  return [
    ...required.flatMap((field) => [property(field), ...(field.type === 'identifier' ? [identified] : [])]).map(shown),
    ...(action.list ? paging : []).map((each) =>
      each.name === 'limit' ? { ...each, displayOptions: { show: { ...show, returnAll: [false] } } } : shown(each),
    ),
    ...(optional.length > 0 ? [shown(options)] : []),
  ];
}

function operationOf({ key, label, description, method, path, list, route }: DescribedAction): Property {
  const url = path.replace(/\{(\w+)\}/g, '{{ encodeURIComponent($parameter.$1) }}');
  return {
    name: label,
    value: key,
    description: description.replace(/\.$/, /\. /.test(description) ? '.' : ''),
    action: label.charAt(0) + label.slice(1).toLowerCase(),
    routing: {
      request: {
        method,
        url: url === path ? path : `=${url}`,
        ignoreHttpStatusErrors: true,
        // Events are recorded by the key in their body.
        ...(route === 'POST /v1/events' && { body: { api_key: '={{ $credentials.token }}' } }),
      },
      ...(list && {
        operations: {
          pagination: {
            type: 'generic',
            properties: {
              continue: '={{ !!$response.body.nextPageToken }}',
              request: { qs: { pageToken: '={{ $response.body ? $response.body.nextPageToken : undefined }}' } },
            },
          },
        },
      }),
      output: {
        postReceive: [RAISE_PROBLEM, ...(list ? [{ type: 'rootProperty', properties: { property: list } }] : [])],
      },
    },
  };
}

function actionProperties(actions: DescribedAction[]): Property[] {
  const resources = [...new Set(actions.map(resourceOf))].sort();
  const nameOf = (resource: string) => resource.charAt(0).toUpperCase() + resource.slice(1);
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map((value) => ({ name: nameOf(value), value })),
      default: resources[0],
    },
    ...resources.flatMap((resource) => {
      const own = actions.filter((action) => resourceOf(action) === resource);
      const options = own.map(operationOf).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
      return [
        {
          displayName: 'Operation',
          name: 'operation',
          type: 'options',
          noDataExpression: true,
          displayOptions: { show: { resource: [resource] } },
          options,
          default: options[0]?.value,
        },
        ...own.flatMap(parametersOf),
      ];
    }),
  ];
}

function triggerProperties({ triggers, operators }: Description): Property[] {
  return [
    {
      displayName: 'Trigger On',
      name: 'trigger',
      type: 'options',
      options: triggers
        .map(({ key, label, description }) => ({
          name: label,
          value: key,
          description: description.replace(/\.$/, ''),
        }))
        .sort(byName),
      default: triggers.map(({ key }) => key)[0],
    },
    {
      displayName: 'Collection Names or IDs',
      name: 'collectionIds',
      type: 'multiOptions',
      typeOptions: COLLECTIONS,
      displayOptions: { show: { trigger: triggers.filter((each) => each.isByCollection).map(({ key }) => key) } },
      default: [],
      description:
        'All collections if none is chosen. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    },
    {
      displayName: 'Conditions',
      name: 'filters',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add Condition',
      default: {},
      description: 'Only messages that meet all of them start the workflow',
      options: [
        {
          displayName: 'Condition',
          name: 'condition',
          values: [
            {
              displayName: 'Field',
              name: 'field',
              type: 'string',
              default: '',
              placeholder: 'session.campaign',
              description: 'A member of data, named by its path',
            },
            {
              displayName: 'Operator',
              name: 'operator',
              type: 'options',
              options: operators.map(option).sort(byName),
              default: 'eq',
            },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              default: '',
              description: 'With “in”: values separated by commas',
            },
          ],
        },
      ],
    },
  ];
}

/** As source code, with names as people write them: the linter of n8n reads them. */
function source(value: unknown, indent = ''): string {
  if (value instanceof Code) return value.name;
  const inner = `${indent}\t`;
  const block = (open: string, lines: string[], close: string) =>
    lines.length === 0
      ? open + close
      : `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((each) => source(each, inner)),
      ']',
    );
  }
  if (typeof value === 'object' && value !== null) {
    return block(
      '{',
      Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${name}: ${source(each, inner)}`),
      '}',
    );
  }
  if (typeof value !== 'string') return String(value);
  const quoted = JSON.stringify(value);
  return value.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`;
}

const HEADER = `// Generated by integrations/generate.ts from openapi.json.\n`;
const IMPORT = "import type { INodeProperties } from 'n8n-workflow';\n\n";

export function nodeFiles(description: Description): [string, string][] {
  const topics = Object.fromEntries(
    description.triggers.map(({ key, topics: events, filters }) => [key, { events, filters }]),
  );
  return [
    [
      'n8n/nodes/Headwater/properties.ts',
      `${HEADER}${IMPORT.trimEnd()}\nimport { raiseProblem } from './raise-problem';\n\nexport const properties: INodeProperties[] = ${source(actionProperties(description.actions))};\n`,
    ],
    [
      'n8n/nodes/HeadwaterTrigger/properties.ts',
      `${HEADER}${IMPORT}export const properties: INodeProperties[] = ${source(triggerProperties(description))};\n\n` +
        'interface Subscription {\n\tevents: string[];\n\tfilters?: Array<{ field: string; operator: string; value: string | number | boolean }>;\n}\n\n' +
        `export const subscriptions: Record<string, Subscription> = ${source(topics)};\n`,
    ],
  ];
}
