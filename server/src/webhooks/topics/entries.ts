import { Type } from 'typebox';
import { Entry } from '../../content/index.ts';
import { orNull } from '../../shared/http/schemas.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const EntryData = Type.Object(
  {
    ...Entry.properties,
    slug: Type.Optional(
      orNull(Type.String(), {
        description: 'Only in `entry.published` and `entry.unpublished` of collections with a slug: the published slug',
      }),
    ),
    locales: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Only in `entry.published` and `entry.unpublished` of collections with localized fields: those that changed',
      }),
    ),
    slugs: Type.Optional(
      Type.Unsafe<Record<string, string | null>>({
        type: 'object',
        additionalProperties: { type: ['string', 'null'] },
        description: 'The published slug in each of these locales, if slugs are localized',
      }),
    ),
    sequence,
  },
  { title: 'WebhookEntry' },
);

// A later change would overwrite the entry, so the outbox contains it as it was.
const load: LoadDrafts = async (_deps, _tx, changes) =>
  changes.map((change) => ({ change, data: change.data as object }));

const family = { data: EntryData, load };

const example = {
  id: 'ent_01kaf9m8t0m5p2y9d4g7z1j8qw',
  collectionId: 'col_01kaf9m8t0a6t3e1n8r5c2x9vf',
  values: { headline: 'Summer sale' },
  status: 'active',
  createdAt: exampleTime,
  updatedAt: exampleTime,
};

export const entryTopics = {
  'entry.created': { ...family, summary: 'An entry was created', example: { ...example, version: 1, sequence: 1 } },
  'entry.updated': {
    ...family,
    summary: 'An entry was changed or restored',
    example: { ...example, values: { headline: 'Winter sale' }, version: 2, sequence: 2 },
  },
  'entry.deleted': {
    ...family,
    summary: 'An entry was deleted',
    example: { ...example, status: 'deleted', version: 3, sequence: 3 },
  },
  'entry.published': {
    ...family,
    summary: 'A version of an entry (`publishedVersion`) was published; the payload has its values',
    example: { ...example, version: 3, publishedVersion: 3, publishedAt: exampleTime, sequence: 4 },
  },
  'entry.unpublished': {
    ...family,
    summary: 'An entry is not published any more, also because it was deleted',
    example: { ...example, version: 3, publishedVersion: null, publishedAt: null, sequence: 5 },
  },
} satisfies TopicDefinitions;
