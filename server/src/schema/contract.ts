import { type Static, Type } from 'typebox';
import { contentSections } from '../content/index.ts';
import { orNull, STRICT } from '../shared/http/schemas.ts';
import { SchemaRole } from '../users/index.ts';
import { SchemaWebhook } from '../webhooks/index.ts';

const sections = { ...contentSections, roles: Type.Array(SchemaRole), webhooks: Type.Array(SchemaWebhook) };

/** What describes an account apart from its data. */
export const Schema = Type.Object(sections, { title: 'Schema' });
export type Schema = Static<typeof Schema>;

/** Response of `GET /v1/schema`. */
export const ReadSchema = Type.Object(
  {
    ...contentSections,
    roles: Type.Optional({
      ...sections.roles,
      description: 'Those that the account defines. Absent for who may not read them',
    }),
    webhooks: Type.Optional({ ...sections.webhooks, description: 'Absent for roles that may not read them' }),
  },
  { title: 'Schema' },
);

/** Body of `PUT /v1/schema`. */
export const SentSchema = Type.Object(
  {
    ...Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, Type.Optional(section)])),
    allowDataLoss: Type.Optional(
      Type.Boolean({
        description:
          'Whether changes are made by which values, entries or webhooks are no longer there. Otherwise they are refused with ' +
          '`data_loss`, which names each of them and how many entries it concerns.',
      }),
    ),
  } as { [Name in keyof typeof sections]: ReturnType<typeof Type.Optional<(typeof sections)[Name]>> } & {
    allowDataLoss: ReturnType<typeof Type.Optional<ReturnType<typeof Type.Boolean>>>;
  },
  { ...STRICT, title: 'SentSchema' },
);
export type SentSchema = Partial<Schema> & { allowDataLoss?: boolean };

const SchemaChange = Type.Object(
  {
    action: Type.Enum(['create', 'update', 'delete']),
    type: Type.Enum(['collection', 'field', 'block', 'option', 'component', 'locales', 'role', 'webhook']),
    id: Type.String(),
    path: Type.String({ description: 'Where it is, by keys or IDs, such as `posts.seo.title`' }),
    name: Type.String(),
    members: Type.Array(
      Type.Object({
        member: Type.String(),
        before: Type.Optional(Type.Unknown({ description: 'Absent if there was none' })),
        after: Type.Optional(Type.Unknown({ description: 'Absent if there is none' })),
      }),
      { description: 'Of an update: what is different' },
    ),
    losesData: Type.Boolean({
      description: 'Whether something can no longer be read: values of entries, entries, or the secret of a webhook',
    }),
    entries: Type.Integer({ description: 'How many entries lose something' }),
    description: Type.String({ description: 'The change in a sentence' }),
  },
  { title: 'SchemaChange' },
);
export type SchemaChange = Static<typeof SchemaChange>;

export const PushResult = Type.Object(
  {
    changes: Type.Array(SchemaChange),
    losesData: Type.Boolean({ description: 'Whether one of the changes does' }),
    dryRun: Type.Boolean(),
    applied: Type.Boolean({ description: 'Whether the schema was changed' }),
    undoId: orNull(Type.String(), { description: 'What undoes the push within 30 days; null if nothing was changed' }),
  },
  { title: 'SchemaPush' },
);
export type PushResult = Static<typeof PushResult>;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
export const PushQuery = Type.Object(
  {
    dryRun: flag('Returns the changes and their faults without making them'),
    allowDataLoss: flag('As the member of the body'),
  },
  STRICT,
);

export const SchemaQuery = Type.Object({ dryRun: flag('Without effect: reading changes nothing') }, STRICT);

export const UndoPath = Type.Object({ undoId: Type.String() });
export const UndoBody = Type.Object(
  { allowDataLoss: flag('Whether values of what the push had added may be lost') },
  { ...STRICT, title: 'SchemaUndo' },
);
