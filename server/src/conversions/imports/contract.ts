import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';

const Count = (description: string) => Type.Integer({ description });

export const ConversionImport = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum(['active', 'undoing', 'undone']),
    reported: Count('Rows that created or restated a conversion'),
    unmatched: Count('Rows whose session was unknown'),
    failed: Count('Invalid rows'),
    undo: orNull(
      Type.Object({
        withdrawn: Count('Conversions that no longer count, because only undone imports had reported them'),
        reverted: Count('Conversions that have the value of their other reports again'),
        deletedUnmatched: Count('Unmatched conversions that were deleted'),
      }),
      { description: 'What the undo has done so far; null before it' },
    ),
    createdAt: Time(),
    undoneAt: orNull(Time()),
  },
  { title: 'ConversionImport' },
);
export type ConversionImport = Static<typeof ConversionImport>;

export const NewConversionImport = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'Such as the name of the file' }) },
  STRICT,
);
export const ConversionImportPath = Type.Object({ importId: Type.String() });
export type ConversionImportPath = Static<typeof ConversionImportPath>;
export const ConversionImportsQuery = Type.Object(pageQuery, STRICT);
export const ConversionImportPage = Type.Object({
  imports: Type.Array(ConversionImport),
  nextPageToken: NextPageToken,
});
