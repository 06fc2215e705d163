import { type TSchema, type TSchemaOptions, Type } from 'typebox';

/*
 * Query parameters of several values. The document describes them as arrays (`style: form`, `explode: true`); clients repeat
 * them, or send one text with commas, which some generated clients encode (`google%2Cbing`). All forms mean the same. The keyword
 * `x-list` is the schema of an item.
 */

/** Names, which have no commas. A route reads them as one text, separated by commas. */
export const NameList = (items: TSchema, options: TSchemaOptions = {}) => Type.String({ ...options, 'x-list': items });

interface ListOptions extends TSchemaOptions {
  maxItems: number;
}

/** IDs, which have no commas. A route reads an array, or one ID as it was sent. */
export const IdList = <Item extends TSchema>(items: Item, { maxItems, ...options }: ListOptions) =>
  Type.Union([items, Type.Array(items, { maxItems })], { ...options, 'x-list': items });

/** Any texts. In one that is not repeated, commas separate values, except beside white space or after a backslash. */
export const TextList = <Item extends TSchema>(items: Item, options: ListOptions) => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = items as { minLength?: number; maxLength?: number };
  const limits: TextLimits = { minLength, maxLength, maxItems: options.maxItems };
  return IdList(items, { ...options, 'x-texts': limits });
};

interface TextLimits {
  minLength: number;
  maxLength: number;
  maxItems: number;
}

/** Splits `a,b`. A backslash escapes a comma or a backslash that belongs to a value. */
export function splitList(text: string): string[] {
  const values = [''];
  for (const [token] of text.matchAll(/\\[,\\]|,|[^,\\]+|\\/g)) {
    if (token === ',') values.push('');
    else values[values.length - 1] += token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  }
  return values;
}

interface ListSchema {
  type?: string;
  'x-list'?: unknown;
  'x-texts'?: TextLimits;
}

/** The function that gives each list of a query the form in which its schema is validated. */
export function listReader(properties: Record<string, ListSchema>): (query: Record<string, unknown>) => void {
  const lists = new Map(Object.entries(properties).filter(([, schema]) => 'x-list' in schema));
  return (query) => {
    for (const name in query) {
      const list = lists.get(name);
      if (!list) continue;
      const { type, 'x-texts': limits } = list;
      const sent = query[name];
      if (type === 'string') {
        if (Array.isArray(sent)) query[name] = sent.join(',');
      } else if (typeof sent === 'string' && sent.includes(',')) {
        query[name] = limits ? textsOf(sent, limits) : sent.split(',');
      }
    }
  };
}

/** Also the text itself, which may be one value with commas: filters were sent like that before commas separated anything. */
function textsOf(text: string, { minLength, maxLength, maxItems }: TextLimits): string[] {
  const values = splitList(text.replace(/(?<!\\)(?:(?<=\s),|,(?=\s))/g, '\\,'));
  if (values.length === 1) return values;
  if (values.some(({ length }) => length < minLength)) return [text];
  return text.length > maxLength || values.length >= maxItems ? values : [text, ...values];
}
