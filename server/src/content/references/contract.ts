import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { NameList } from '../../shared/http/list-parameters.ts';
import { orNull, STRICT } from '../../shared/http/schemas.ts';
import { Status } from '../contract.ts';
import { IncludeDeleted } from '../entries/contract.ts';
import { LIMITS } from '../limits.ts';

/** An entry that references another one. */
export const Usage = Type.Object(
  {
    entryId: Type.String(),
    collectionId: Type.String(),
    title: orNull(Type.String()),
    fields: Type.Array(Type.String(), {
      description:
        'The IDs of fields of the latest or the published version; a field of a group is written as `seo.author`',
    }),
  },
  { title: 'Usage' },
);
export type Usage = Static<typeof Usage>;
export const UsagePage = Type.Object({ usages: Type.Array(Usage), nextPageToken: NextPageToken });
export const UsagesQuery = Type.Object({ ...pageQuery, ...IncludeDeleted.properties }, STRICT);

export const EntryTitle = Type.Object(
  {
    id: Type.String(),
    collectionId: Type.String(),
    title: orNull(Type.String(), { description: 'The text of its display field, or else of its first text field' }),
    status: Status,
    isPublished: Type.Boolean({ description: 'Always true in collections without publishing' }),
  },
  { title: 'EntryTitle' },
);
export type EntryTitle = Static<typeof EntryTitle>;
export const EntryTitles = Type.Object({ titles: Type.Array(EntryTitle) });
export const TitlesQuery = Type.Object(
  {
    ids: NameList(Type.String(), {
      maxLength: 40 * LIMITS.titledEntries,
      description: 'IDs of entries, separated by commas',
    }),
  },
  STRICT,
);
