import type { Collection, Field, NestedField } from './generated.ts';

/**
 * TypeScript types of an account's collections, as the text of a file: for each what its entries' `values` hold as they are
 * read and as they are sent, and all of them by id as `Collections`, for `createClient<Collections>()`.
 */
export function collectionTypes(collections: readonly Collection[]): string {
  const named = withNames(collections);
  const declared = named.map(({ collection, name }) => {
    const about = [collection.name, collection.description].filter(Boolean).join(': ');
    return [
      `${comment(about, '')}export interface ${name} ${members(collection.fields, 'read', '')}`,
      `/** ${quietly(collection.name)}, as its values are sent */\nexport interface New${name} ${members(collection.fields, 'sent', '')}`,
    ].join('\n\n');
  });
  const byId = named.map(
    ({ collection, name }) => `  ${key(collection.id)}: { values: ${name}; newValues: New${name} };`,
  );
  const ids = named.map(({ collection, name }) => `  ${name}: '${collection.id}',`);
  return `// Written by headwater types. Run it again when a collection has changed.
//
// A required value can be missing from an entry that is older than the requirement.

import type { AssetValue } from '@headwater/sdk';

${declared.join('\n\n')}

/** All collections by id: createClient<Collections>() */
export type Collections = {
${byId.join('\n')}
};

/** Ids of the collections */
export const collections = {
${ids.join('\n')}
} as const;
`;
}

type Direction = 'read' | 'sent';

function members(fields: readonly (Field | NestedField)[], direction: Direction, indent: string): string {
  const inner = `${indent}  `;
  const lines = fields
    .filter(({ status }) => status === 'active')
    .map((field) => {
      const type = fieldType(field, direction, inner);
      const isRepeated = 'repeated' in field && field.repeated;
      const whole = isRepeated ? `${/ \| /.test(type) ? `(${type})` : type}[]` : type;
      const optional = field.required ? '' : '?';
      const orNull = direction === 'sent' && !field.required ? ' | null' : '';
      return `${comment(field.label, inner)}${inner}${key(field.id)}${optional}: ${whole}${orNull};`;
    });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function fieldType(field: Field | NestedField, direction: Direction, indent: string): string {
  switch (field.type) {
    case 'number':
    case 'boolean':
      return field.type;
    case 'asset':
      return direction === 'read' ? 'AssetValue' : "Pick<AssetValue, 'assetId'>";
    case 'select': {
      // What was chosen before its option was retired is still answered, and cannot be chosen anew.
      const options = (field.options ?? []).filter(({ status }) => direction === 'read' || status === 'active');
      return options.length === 0 ? 'never' : options.map(({ value }) => text(value)).join(' | ');
    }
    case 'group':
      return members('fields' in field ? ((field.fields ?? []) as NestedField[]) : [], direction, indent);
    default:
      return 'string';
  }
}

/** A type's name for each collection, from its own, no two alike. */
function withNames(collections: readonly Collection[]): { collection: Collection; name: string }[] {
  const taken = new Set<string>();
  return collections.map((collection) => {
    const words = collection.name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .split(/[^A-Za-z0-9]+/)
      .filter(Boolean);
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const base = /^[A-Za-z]/.test(joined) ? joined : `Collection${joined}`;
    const isTaken = (name: string) => taken.has(name) || taken.has(`New${name}`);
    let name = base;
    for (let n = 2; isTaken(name); n++) name = `${base}${n}`;
    taken.add(name).add(`New${name}`);
    return { collection, name };
  });
}

const text = (value: string) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const key = (id: string) => (/^[A-Za-z_$][\w$]*$/.test(id) ? id : text(id));
const quietly = (words: string) => words.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
const comment = (words: string, indent: string) => `${indent}/** ${quietly(words)} */\n`;
