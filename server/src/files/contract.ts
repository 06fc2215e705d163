import { type Static, Type } from 'typebox';

/** What an upload answers, and what an `asset` field of an entry holds. */
export const AssetValue = Type.Object(
  {
    assetId: Type.String(),
    url: Type.String({ description: 'Address of the stored file; works without a token' }),
    type: Type.Optional(Type.Enum(['image', 'video'], { description: 'Detected from the bytes of the file' })),
    name: Type.Optional(Type.String({ description: 'As the file was called when it was sent' })),
    width: Type.Optional(Type.Number({ description: 'Pixels as shown, rotation applied' })),
    height: Type.Optional(Type.Number({ description: 'Pixels as shown, rotation applied' })),
  },
  { title: 'AssetValue' },
);
export type AssetValue = Static<typeof AssetValue>;
