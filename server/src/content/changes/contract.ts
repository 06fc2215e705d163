import { type Static, Type } from 'typebox';
import { NameList } from '../../shared/http/list-parameters.ts';
import { Time } from '../../shared/http/schemas.ts';

export const CHANGES_DAYS = 30;

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const PublicChange = Type.Object(
  {
    cursor: Type.String({ description: 'Send it as `since` to continue after this change' }),
    type: Type.Enum(['publish', 'unpublish']),
    collection: Type.String({ description: 'ID of the collection' }),
    entryId: Type.String(),
    locale: nullable('The locale that was published or unpublished; null: the collection has no localized fields'),
    slug: nullable('The slug in that locale; null: it has none'),
    previousSlug: nullable('The slug of the page that this change replaces, if it was another one'),
    at: Time(),
  },
  { title: 'PublicChange' },
);
export type PublicChange = Static<typeof PublicChange>;

export const PublicChanges = Type.Object(
  {
    changes: Type.Array(PublicChange),
    cursor: Type.String({ description: 'Send it as `since` to read what comes next' }),
  },
  { title: 'PublicChanges' },
);
export type PublicChanges = Static<typeof PublicChanges>;

export const ChangesQuery = {
  since: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'A cursor: returns what comes after it. `now` returns no change and the cursor of the last one. By default from the ' +
        `oldest change that is kept. A cursor of more than ${CHANGES_DAYS} days ago is refused with \`cursor_expired\`.`,
    }),
  ),
  collections: Type.Optional(
    NameList(Type.String(), {
      maxLength: 4_000,
      description: 'IDs or keys of collections, separated by commas. By default all',
    }),
  ),
};
