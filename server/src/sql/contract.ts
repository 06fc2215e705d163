import { type Static, Type } from 'typebox';
import { STRICT } from '../shared/http/schemas.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { LIMITS } from './limits.ts';
import { VIEWS } from './views.ts';

const views = Object.entries(VIEWS).map(
  ([name, { about, columns }]) => `- \`${name}\` (${about}): ${columns.map(([column]) => `\`${column}\``).join(', ')}`,
);

export const DESCRIPTION = `Executes one \`SELECT\` of PostgreSQL over the views of the account, and streams its rows:

${views.join('\n')}

The [guide](/guide/sql) describes the columns. The rows are there once they are complete up to 1 MiB; a response that breaks off later has no last
chunk. \`ndjson\` has one JSON object per line: integers are numbers up to 2^53, decimals are strings. \`csv\` is as in exports.
\`arrow\` is the streaming format of Apache Arrow: decimals are texts, and times have microseconds.`;

const Parameter = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), { maxItems: 10_000 }),
]);

export const SqlRequest = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: LIMITS.characters,
      description: 'The statement, such as `select source, count(*) from sessions group by 1`',
    }),
    format: Type.Optional(Type.Enum(Object.keys(FORMATS) as FormatName[], { default: 'ndjson' })),
    parameters: Type.Optional(
      Type.Array(Parameter, { maxItems: LIMITS.parameters, description: 'The values of `$1`, `$2` and so on' }),
    ),
  },
  { ...STRICT, title: 'SqlRequest' },
);
export type SqlRequest = Static<typeof SqlRequest>;
