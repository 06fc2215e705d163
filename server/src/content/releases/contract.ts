import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { Author } from '../../users/index.ts';
import { LIMITS } from '../limits.ts';
import { ChosenLocales } from '../locales/contract.ts';

const RELEASE_STATUSES = ['open', 'scheduled', 'completed', 'failed', 'canceled'] as const;

const Action = Type.Enum(['publish', 'unpublish']);
const At = Time({
  description: 'When a worker publishes it, within 5 seconds. Without a time, a request publishes it.',
});
const Name = Type.String({ pattern: '\\S', maxLength: LIMITS.labelLength });
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const ReleaseItem = Type.Object(
  {
    collectionId: Type.String(),
    entryId: Type.String(),
    action: Action,
    version: orNull(Type.Integer(), {
      description:
        'The version that will be published, even if the entry is edited before then; null: the latest at that time',
    }),
    locales: Type.Optional(
      Type.Array(Type.String(), { description: 'Only these locales; absent: all in which the entry has values' }),
    ),
    title: orNull(Type.String(), { description: 'The current value of the display field, or of the first text field' }),
  },
  { title: 'ReleaseItem' },
);
export type ReleaseItem = Static<typeof ReleaseItem>;

const Fault = Type.Object(
  {
    pointer: Type.String({ description: 'A JSON Pointer into the release: `/items/0/values/title`' }),
    code: Type.String(),
    detail: Type.String(),
  },
  { title: 'ReleaseFault' },
);

export const Release = Type.Object(
  {
    id: Type.String(),
    name: orNull(Type.String(), { description: 'null for a scheduled change of one entry' }),
    status: Type.Enum([...RELEASE_STATUSES], {
      description:
        '`open`: without a time; `scheduled`: waits for its time; `completed`: everything was published; `failed`: nothing ' +
        'was, `errors` contains the reasons',
    }),
    at: orNull(Time()),
    itemCount: Type.Integer({ description: 'How many entries it publishes and unpublishes' }),
    item: orNull(ReleaseItem, {
      description:
        'The first item, or that of the entry by which the list is filtered. All of them: `GET …/releases/{releaseId}/items`',
    }),
    errors: orNull(Type.Array(Fault), {
      description: `The faults of the attempt that failed, up to ${LIMITS.releaseErrors}`,
    }),
    version: Type.Integer({ description: 'Incremented by every change' }),
    by: orNull(Author, { description: 'Who changed it last' }),
    createdAt: Time(),
    updatedAt: Time(),
    finishedAt: orNull(Time()),
  },
  { title: 'Release' },
);
export type Release = Static<typeof Release>;

export const ReleaseItemPage = Type.Object({ items: Type.Array(ReleaseItem), nextPageToken: NextPageToken });

export const ReleasePage = Type.Object({ releases: Type.Array(Release), nextPageToken: NextPageToken });

const SentItem = Type.Object(
  {
    collectionId: Type.String(),
    entryId: Type.String(),
    action: Type.Optional(Type.Enum(['publish', 'unpublish'], { description: '`publish` by default' })),
    version: Type.Optional(
      orNull(Version, {
        description: 'The version to publish; the current one by default. null: the latest at that time',
      }),
    ),
    locales: ChosenLocales,
    ...readOnly('title'),
  },
  { ...STRICT, title: 'ReleaseItemRequest' },
);
export type SentItem = Static<typeof SentItem>;

const stored = readOnly('id', 'status', 'itemCount', 'item', 'errors', 'by', 'createdAt', 'updatedAt', 'finishedAt');
const items = Type.Array(SentItem, { maxItems: LIMITS.releaseItems, description: 'Each entry once' });

/** Body of `POST /v1/cms/releases`. */
export const NewRelease = Type.Object(
  {
    name: Type.Optional(orNull(Name)),
    at: Type.Optional(orNull(At)),
    items: Type.Optional(items),
    ...stored,
    ...readOnly('version'),
  },
  STRICT,
);
export type NewRelease = Static<typeof NewRelease>;

/** Body of `PATCH /v1/cms/releases/{releaseId}`. */
export const ReleaseChange = Type.Object(
  {
    name: Type.Optional(orNull(Name)),
    at: Type.Optional(orNull(At)),
    items: Type.Optional({ ...items, description: 'Replaces all items. Each entry once' }),
    version: Type.Optional(
      Type.Integer({ description: 'The version that was read. If it is not the current one: `version_conflict`' }),
    ),
    ...stored,
  },
  STRICT,
);
export type ReleaseChange = Static<typeof ReleaseChange>;

export const ReleasePath = Type.Object({ releaseId: Type.String() });

export const ReleaseItemsQuery = Type.Object(pageQuery, STRICT);

export const ReleasesQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      Type.Enum([...RELEASE_STATUSES, 'pending'], { description: '`pending`: open, scheduled or failed' }),
    ),
    collectionId: Type.Optional(Type.String({ description: 'Only those with entries of this collection' })),
    entryId: Type.Optional(Type.String({ description: 'Only those with this entry' })),
    from: Type.Optional(Time({ description: 'Due at this time or later' })),
    to: Type.Optional(Time({ description: 'Due before this time' })),
  },
  STRICT,
);
export type ReleasesQuery = Static<typeof ReleasesQuery>;

export const EmptyBody = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Empty',
});
