import { type Static, type TSchema, Type } from 'typebox';

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

const strict = { additionalProperties: false };
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });
const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' });
const Part = Type.Number({ minimum: 0, maximum: 1 });
const FocalPoint = Type.Object(
  { x: Part, y: Part },
  { ...strict, description: 'As parts of width and height from the upper left; crops keep it in view' },
);
const ALT = 1_000;

const fileMembers = {
  assetId: Type.String(),
  url: Type.String({ description: 'Address of the stored file; works without a token' }),
  type: Type.Enum(['image', 'video']),
  name: Type.String(),
  width: Type.Integer({ description: 'Pixels as shown, rotation applied' }),
  height: Type.Integer({ description: 'Pixels as shown, rotation applied' }),
  mediaType: Type.String({ description: 'Such as `image/jpeg`' }),
  bytes: Type.Integer({ description: 'As stored and served' }),
  alt: orNull(Type.String({ description: 'What to say of it to who does not see it' })),
  focalPoint: orNull(FocalPoint),
  animated: Type.Boolean({ description: 'A picture of more than one frame' }),
  duration: orNull(Type.Number({ description: 'Seconds, of a film that says it' })),
  codec: orNull(Type.String({ description: 'Of a film, such as `avc`, `hevc`, `vp9`, `av1`' })),
  thumbhash: orNull(Type.String({ description: 'A blurred picture in some 25 bytes (thumbhash), base64' })),
  posterUrl: orNull(Type.String({ description: 'A picture of a film, where one could be had' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  unusedSince: orNull(Timestamp),
};

/** A file as the API shows it. */
export const StoredAsset = Type.Object(fileMembers, { title: 'File' });
export type StoredAsset = Static<typeof StoredAsset>;

export const AssetWithUses = Type.Object(
  {
    ...fileMembers,
    usedByCount: Type.Integer(),
    usedBy: Type.Array(
      Type.Object({
        collectionId: Type.String(),
        entryId: Type.String(),
        status: Type.Enum(['active', 'deleted'], { description: 'Of the entry' }),
      }),
      { description: 'Entries that name the file, at most 100' },
    ),
  },
  { title: 'FileWithUses' },
);
export type AssetWithUses = Static<typeof AssetWithUses>;

export const DEFAULT_PAGE_SIZE = 50;
export const FilesQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
    pageToken: Type.Optional(
      Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
    ),
    type: Type.Optional(Type.Enum(['image', 'video'])),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name, whatever case' }),
    ),
    unused: Type.Optional(Type.Boolean({ description: 'true: only those that no entry names' })),
  },
  strict,
);
export type FilesQuery = Static<typeof FilesQuery>;

export const ListedAsset = Type.Object(
  {
    ...fileMembers,
    usedByCount: Type.Integer({ description: 'Entries that name it, deleted ones included, counted to 1,000' }),
  },
  { title: 'ListedFile' },
);
export type ListedAsset = Static<typeof ListedAsset>;

export const FilePage = Type.Object({
  files: Type.Array(ListedAsset),
  nextPageToken: orNull(Type.String({ description: 'null when there is no further page' })),
});

export const FilePath = Type.Object({ assetId: Type.String() });

export const FileChange = Type.Object(
  {
    name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 200 })),
    alt: Type.Optional(orNull(Type.String({ maxLength: ALT }))),
    focalPoint: Type.Optional(orNull(FocalPoint)),
  },
  strict,
);
export type FileChange = Static<typeof FileChange>;

export const DeleteQuery = Type.Object(
  { force: Type.Optional(Type.Boolean({ description: 'true: also where an entry uses it; its value is gone then' })) },
  strict,
);

export const DeletedFile = Type.Object({ assetId: Type.String(), deleted: Type.Boolean() }, { title: 'DeletedFile' });

export const ClearUnused = Type.Object(
  {
    unusedForDays: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 36_500, description: 'Those unused for less stay; 30 unless sent' }),
    ),
  },
  strict,
);
