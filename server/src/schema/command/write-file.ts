import type { Schema } from '../contract.ts';

const WIDTH = 110;

/** A schema file with the types that `createDelivery<Schema>()` takes. */
export function schemaFile(schema: Schema): string {
  return `// The schema of a Headwater account. Write it with \`headwater schema pull\`, compare it with \`headwater schema diff\` and apply it with
// \`headwater schema push\`. What has the same \`id\` is the same, whatever its name or key.
import type { SchemaFile, SchemaOf } from '@headwater/sdk/delivery';

const schema = ${literal(schema, '')} as const satisfies SchemaFile;

export default schema;

/** What \`createDelivery<Schema>()\` returns. */
export type Schema = SchemaOf<typeof schema>;
`;
}

/** A value as TypeScript, on one line if it fits. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([name, each]) => `${memberName(name)}: ${literal(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const text = (value: string) =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
const memberName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : text(name));
