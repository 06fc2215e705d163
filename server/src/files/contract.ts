import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';

const FileType = Type.Enum(['image', 'video'], { description: 'Detected from the content of the file' });
const FileUrl = Type.String({ description: 'URL of the file; works without a token' });
const Pixels = { description: 'Pixels as displayed, rotation applied' };

/** The response of an upload, and the value of an entry's `asset` field. */
export const AssetValue = Type.Object(
  {
    assetId: Type.String(),
    url: FileUrl,
    type: Type.Optional(FileType),
    name: Type.Optional(Type.String({ description: 'File name as uploaded' })),
    width: Type.Optional(Type.Number(Pixels)),
    height: Type.Optional(Type.Number(Pixels)),
  },
  { title: 'AssetValue' },
);
export type AssetValue = Static<typeof AssetValue>;

const Fraction = Type.Number({ minimum: 0, maximum: 1 });
const FocalPoint = Type.Object(
  { x: Fraction, y: Fraction },
  {
    ...STRICT,
    title: 'FocalPoint',
    description: 'Fractions of width and height from the upper left; crops keep this point in view',
  },
);

const Status = Type.Enum(['active', 'deleted'], { description: '`deleted`: in the trash; its URL still works' });
const Tag = Type.String({ minLength: 1, maxLength: LIMITS.tagLength, pattern: '\\S' });

const fileMembers = {
  assetId: Type.String(),
  url: FileUrl,
  type: FileType,
  name: Type.String(),
  width: Type.Integer(Pixels),
  height: Type.Integer(Pixels),
  mediaType: Type.String({ description: 'For example `image/jpeg`' }),
  bytes: Type.Integer({ description: 'Size as stored and served' }),
  alt: orNull(Type.String({ description: 'Alt text' })),
  focalPoint: orNull(FocalPoint),
  animated: Type.Boolean({ description: 'Whether an image has more than one frame' }),
  duration: orNull(Type.Number({ description: 'Seconds; null for images, and for videos that do not state it' })),
  codec: orNull(Type.String({ description: 'Video codec, such as `avc`, `hevc`, `vp9`, `av1`' })),
  thumbhash: orNull(Type.String({ description: 'Blurred preview in about 25 bytes (ThumbHash), base64' })),
  posterUrl: orNull(Type.String({ description: 'Poster image of a video, if it has or will have one' })),
  createdAt: Time(),
  updatedAt: Time(),
  unusedSince: orNull(Time()),
  tags: Type.Array(Type.String()),
  status: Status,
};

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
        status: Type.Enum(['active', 'deleted'], { description: 'Status of the entry' }),
      }),
      { description: 'Entries that use the file, at most 100' },
    ),
  },
  { title: 'FileWithUses' },
);
export type AssetWithUses = Static<typeof AssetWithUses>;

export const FilesQuery = Type.Object(
  {
    ...pageQuery,
    type: Type.Optional(Type.Enum(['image', 'video'])),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, case-insensitive' }),
    ),
    unused: Type.Optional(Type.Boolean({ description: 'true: only files that no entry uses' })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only files with this tag' })),
    deleted: Type.Optional(Type.Boolean({ description: 'true: files in the trash instead of the others' })),
  },
  STRICT,
);
export type FilesQuery = Static<typeof FilesQuery>;

export const ListedAsset = Type.Object(
  {
    ...fileMembers,
    usedByCount: Type.Integer({ description: 'Entries that use the file, deleted ones included; counted up to 1,000' }),
  },
  { title: 'ListedFile' },
);
export type ListedAsset = Static<typeof ListedAsset>;

export const FilePage = Type.Object({
  files: Type.Array(ListedAsset),
  nextPageToken: NextPageToken,
});

export const FileTags = Type.Object({
  tags: Type.Array(Type.Object({ tag: Type.String(), files: Type.Integer() }), { description: 'At most 500' }),
});

export const FilePath = Type.Object({ assetId: Type.String() });

/** Members of files in responses, which `FileChange` accepts and ignores. */
const stored = {
  ...readOnly('assetId', 'url', 'type', 'width', 'height', 'mediaType', 'bytes', 'animated', 'duration', 'codec'),
  ...readOnly('thumbhash', 'posterUrl', 'createdAt', 'updatedAt', 'unusedSince', 'usedByCount', 'usedBy'),
};

export const FileChange = Type.Object(
  {
    ...stored,
    name: Type.Optional(Type.String({ pattern: '\\S', maxLength: LIMITS.nameLength })),
    alt: Type.Optional(orNull(Type.String({ maxLength: LIMITS.altLength }))),
    focalPoint: Type.Optional(orNull(FocalPoint)),
    tags: Type.Optional(Type.Array(Tag, { maxItems: LIMITS.tags, description: 'Replaces all tags' })),
    status: Type.Optional(Status),
  },
  STRICT,
);
export type FileChange = Static<typeof FileChange>;

export const DeleteQuery = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({ description: 'true: delete the file even if an active entry uses it; the entry loses the value' }),
    ),
  },
  STRICT,
);

export const DeletedFile = Type.Object({ assetId: Type.String(), deleted: Type.Boolean() }, { title: 'DeletedFile' });

export const ClearUnused = Type.Object(
  {
    unusedForDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description: 'Only files unused for at least this long; default: 30',
      }),
    ),
  },
  STRICT,
);
