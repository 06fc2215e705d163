import { parseAst } from 'vite';
import { toApiError } from '../../server/src/shared/http/problem.ts';
import type { Node } from './texts.ts';

/** Where the service speaks to programs and operators alone. */
const OF_PROGRAMS = new RegExp(
  [
    '^server/src/(backup|cells|guide|jobs/routes|mcp|operator|plans/plan-|rejections|schema|sql|statistics)',
    '/content/(changes|delivery|graphql|listing|past|query|references/(expand|usages)|schema|urls/routes|writes)',
    '/content/(field-types/(visible-when|formats/position)|locales/locale-view|ordering/list-tree)',
    '/conversions/report/',
    '/files/(delivery|routes|uploads/(?!fetch)|variants)',
    '/shared/(fair-queue|group-commit|http|outbound|page-token|postgres)',
    '/tracking/(identifiers|ingest)',
    '/webhooks/(schema|topics)',
    '/(cli|commands|contract|report-runner|same-origin|session-caller|timeline)[.]ts$',
    '[.]test[.]ts$',
  ].join('|'),
);

/** The sentences of a source file of the service that say what is wrong, with `{0}`, `{1}` where it puts values in. */
export function faultsOf(code: string, file: string): string[] {
  if (OF_PROGRAMS.test(file)) return [];
  const found = new Set<string>();
  const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
  const add = (node: unknown) => {
    for (const text of textsIn(node)) if (isSentence(text)) found.add(numbered(text));
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
      return;
    }
    if (!isNode(node)) return;
    // A code is followed by what it means.
    const list = (node.arguments ?? node.elements) as unknown;
    if (Array.isArray(list)) for (const [i, each] of list.entries()) if (isCode(each)) add(list[i + 1]);
    const name = ((node.key ?? node.id) as { name?: string } | undefined)?.name;
    if (name === 'detail') add(node.value ?? node.init);
    for (const [member, value] of Object.entries(node)) if (member !== 'type') visit(value);
  };
  visit((parseAst(code, { lang: 'ts' }) as unknown as { body: Node[] }).body);
  return [...found];

  function isCode(node: unknown): boolean {
    return isNode(node) && node.type === 'Literal' && /^[a-z]+(_[a-z\d]+)*$/.test(String(node.value));
  }

  function textsIn(node: unknown): string[] {
    if (!isNode(node)) return [];
    if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
    if (node.type === 'ConditionalExpression') return [...textsIn(node.consequent), ...textsIn(node.alternate)];
    if (node.type === 'LogicalExpression') return [...textsIn(node.left), ...textsIn(node.right)];
    if (node.type !== 'TemplateLiteral') return [];
    const parts = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    return [parts.join(VALUE)];
  }
}

const VALUE = '\0';

/** Not a word, a statement, or text that only programs write. */
const isSentence = (text: string) => /\p{L}{2}.* .*[.:\0]$/su.test(text) && !/[<=]|\{"|^\0 \0/.test(text);

/** What begins in the middle of a sentence follows the place of the value. */
function numbered(text: string): string {
  let next = 0;
  const whole = /^[a-z]/.test(text) ? `\`${VALUE}\` ${text}` : text;
  return whole.replaceAll(`{${VALUE}}`, VALUE).replaceAll(VALUE, () => `{${next++}}`);
}

/** What schemas say of values. */
export function faultsOfSchemas(): string[] {
  const limit = '{1}';
  const violations: [keyword: string, params: Record<string, unknown>][] = [
    ...['string', 'number', 'integer', 'boolean', 'object', 'array'].map((type): [string, Record<string, unknown>] => [
      'type',
      { type },
    ]),
    ['required', {}],
    ['additionalProperties', {}],
    ['enum', { allowedValues: [limit] }],
    ['minLength', { limit }],
    ['minLength', { limit: 1 }],
    ['maxLength', { limit }],
    ['minimum', { limit }],
    ['maximum', { limit }],
    ['exclusiveMinimum', { limit }],
    ['minItems', { limit }],
    ['maxItems', { limit }],
    ['minProperties', { limit }],
    ['maxProperties', { limit }],
    ['uniqueItems', { i: 1, j: 2 }],
    ['pattern', { pattern: '\\S' }],
    ['pattern', { pattern: limit }],
    ['x-max-bytes', { limit }],
    ['x-max-depth', { limit }],
    ['anything else', {}],
    ...['date-time', 'date', 'email', 'http-url'].map((format): [string, Record<string, unknown>] => [
      'format',
      { format },
    ]),
  ];
  return violations.map(([keyword, params]) => {
    const { errors } = toApiError({ validation: [{ keyword, instancePath: '/place', params }] });
    return (errors[0]?.detail ?? '')
      .replace('/place', '{0}')
      .replace('items 1 and 2', 'items {1} and {2}')
      .replace('least 1 character.', 'least {1} character.');
  });
}
