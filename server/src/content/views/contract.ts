import { type Static, Type } from 'typebox';
import { readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

export const EntryView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    shared: Type.Boolean({ description: 'Whether all members see it, or only the user or API key that saved it' }),
    state: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The search parameters of the table in the dashboard: `where`, `sort`, `q` and `columns`',
    }),
    updatedAt: Time(),
  },
  { title: 'EntryView' },
);
export type EntryView = Static<typeof EntryView>;

export const EntryViews = Type.Object({ views: Type.Array(EntryView) });

/** Body of `PUT …/views`. */
export const EntryViewBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LIMITS.viewNameLength, pattern: '\\S' }),
    shared: Type.Optional(Type.Boolean({ description: 'false by default' })),
    state: EntryView.properties.state,
    ...readOnly('id', 'updatedAt'),
  },
  STRICT,
);

export const EntryViewPath = Type.Object({ collectionId: Type.String(), viewId: Type.String() });
