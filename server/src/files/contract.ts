import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { TRANSLATED_MEMBER } from './library/file-texts.ts';
import { LIMITS } from './limits.ts';

const FileType = Type.Enum(['image', 'video', 'file'], {
  description: 'Detected from the content of the file; `file` is any other type',
});
const FileUrl = Type.String({
  description: 'URL of the file; works without a token. That of a private file expires after a day.',
});
const Pixels = { description: 'Pixels as displayed, rotation applied' };

const AltText = { description: 'Text for who does not see it, in the locale of the request; empty: it is decorative' };

const Fraction = Type.Number({ minimum: 0, maximum: 1 });
const FocalPoint = Type.Object(
  { x: Fraction, y: Fraction },
  {
    ...STRICT,
    title: 'FocalPoint',
    description: 'Fractions of width and height from the upper left; crops keep this point in view',
  },
);

export const UploadFromUrl = Type.Object(
  {
    url: Type.String({ maxLength: LIMITS.urlLength, description: 'Absolute http or https URL of a public address' }),
    name: Type.Optional(
      Type.String({ pattern: '\\S', maxLength: LIMITS.nameLength, description: 'By default that of the URL' }),
    ),
    folderId: Type.Optional(orNull(Type.String())),
    private: Type.Optional(Type.Boolean({ description: 'Whether its URL is signed and expires; `false` by default' })),
  },
  STRICT,
);
export type UploadFromUrl = Static<typeof UploadFromUrl>;

export const NewUploadToken = Type.Object(
  {
    maxBytes: Type.Optional(
      orNull(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        description: 'The largest file; by default what `GET /v1/limits` says',
      }),
    ),
    contentTypes: Type.Optional(
      orNull(
        Type.Array(Type.String({ pattern: '^[\\w.+-]+/([\\w.+-]+|\\*)$', maxLength: 127 }), {
          minItems: 1,
          maxItems: 20,
        }),
        {
          description: 'Types of files that are accepted, such as `image/*` or `application/pdf`; by default all',
        },
      ),
    ),
    name: Type.Optional(
      orNull(Type.String({ pattern: '\\S', maxLength: LIMITS.nameLength }), {
        description: 'The name of the file, whatever the browser calls it',
      }),
    ),
    folderId: Type.Optional(orNull(Type.String())),
    private: Type.Optional(
      Type.Boolean({ description: 'Whether the URL of the file is signed and expires; `false` by default' }),
    ),
    origin: Type.Optional(
      orNull(Type.String({ maxLength: LIMITS.urlLength }), {
        description: 'The only pages that may use the token, such as `https://shop.example`; by default all',
      }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 86_400, description: 'Seconds until the token expires; 3,600 by default' }),
    ),
  },
  STRICT,
);
export type NewUploadToken = Static<typeof NewUploadToken>;

export const UploadToken = Type.Object(
  {
    token: Type.String({ description: 'For `Authorization: Bearer …`. It is returned once' }),
    assetId: Type.String({ description: 'The ID of the file once it is uploaded' }),
    expiresAt: Time(),
    uploadUrl: Type.String({ description: 'Takes the file as a form' }),
    tusUrl: Type.String({ description: 'The endpoint for clients of tus' }),
  },
  { title: 'UploadToken' },
);
export type UploadToken = Static<typeof UploadToken>;

const placeholder = orNull(Type.String({ description: 'Blurred preview as a small `data:` URL' }));
const poster = orNull(Type.String({ description: 'URL of the poster image of a video' }));
const srcset = orNull(Type.String({ description: 'Smaller variants of an image, for an `img` element' }));

const removed = Type.Array(Type.String(), {
  description: 'In the response of an upload of an SVG: elements, attributes and styles that were removed, at most 100',
});

/** The response of an upload, and the value of an entry's `asset` field. */
export const AssetValue = Type.Object(
  {
    assetId: Type.String(),
    url: FileUrl,
    type: Type.Optional(FileType),
    mediaType: Type.Optional(Type.String({ description: 'For example `image/jpeg`' })),
    name: Type.Optional(Type.String({ description: 'File name as uploaded' })),
    bytes: Type.Optional(Type.Integer({ description: 'Size as stored and served' })),
    width: Type.Optional(orNull(Type.Number(Pixels))),
    height: Type.Optional(orNull(Type.Number(Pixels))),
    duration: Type.Optional(orNull(Type.Number({ description: 'Seconds' }))),
    alt: Type.Optional(orNull(Type.String(AltText))),
    title: Type.Optional(orNull(Type.String())),
    caption: Type.Optional(orNull(Type.String())),
    focalPoint: Type.Optional(orNull(FocalPoint)),
    placeholder: Type.Optional(placeholder),
    poster: Type.Optional(poster),
    srcset: Type.Optional(srcset),
    removed: Type.Optional(removed),
  },
  { title: 'AssetValue' },
);
export type AssetValue = Static<typeof AssetValue>;

const Status = Type.Enum(['active', 'deleted'], { description: '`deleted`: in the trash; its URL still works' });
const Tag = Type.String({ minLength: 1, maxLength: LIMITS.tagLength, pattern: '\\S' });

const fileMembers = {
  assetId: Type.String(),
  url: FileUrl,
  type: FileType,
  name: Type.String(),
  width: orNull(Type.Integer(Pixels)),
  height: orNull(Type.Integer(Pixels)),
  mediaType: Type.String({ description: 'For example `image/jpeg`' }),
  bytes: Type.Integer({ description: 'Size as stored and served' }),
  alt: orNull(Type.String({ description: 'Alt text; in other locales `alt@<locale>`' })),
  title: orNull(Type.String()),
  caption: orNull(Type.String()),
  folderId: orNull(Type.String()),
  private: Type.Boolean({ description: 'Whether its URL is signed and expires' }),
  focalPoint: orNull(FocalPoint),
  animated: Type.Boolean({ description: 'Whether an image has more than one frame' }),
  duration: orNull(Type.Number({ description: 'Seconds; null for images, and for videos that do not state it' })),
  codec: orNull(Type.String({ description: 'Video codec, such as `avc`, `hevc`, `vp9`, `av1`' })),
  thumbhash: orNull(Type.String({ description: 'Blurred preview in about 25 bytes (ThumbHash), base64' })),
  posterUrl: orNull(Type.String({ description: 'The same as `poster`' })),
  placeholder,
  poster,
  srcset,
  removed: Type.Optional(removed),
  createdAt: Time(),
  updatedAt: Time(),
  unusedSince: orNull(Time()),
  tags: Type.Array(Type.String()),
  status: Status,
};
/** Texts in other locales: `alt@de`. */
const translated = { patternProperties: { [TRANSLATED_MEMBER]: { type: 'string' } } };

export const StoredAsset = Type.Object(fileMembers, { title: 'StoredFile', ...translated });
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
  { title: 'FileWithUses', ...translated },
);
export type AssetWithUses = Static<typeof AssetWithUses>;

export const FilesQuery = Type.Object(
  {
    ...pageQuery,
    type: Type.Optional(FileType),
    folderId: Type.Optional(
      Type.String({
        description: 'Only files of this folder, without those of folders in it; `none`: outside of folders',
      }),
    ),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, case-insensitive' }),
    ),
    unused: Type.Optional(Type.Boolean({ description: 'true: only files that no entry uses' })),
    missingAlt: Type.Optional(
      Type.Boolean({ description: 'true: only images without an alt text in the default locale' }),
    ),
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
  { title: 'ListedFile', ...translated },
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
  ...readOnly('private', 'thumbhash', 'posterUrl', 'placeholder', 'poster', 'srcset', 'removed'),
  ...readOnly('createdAt', 'updatedAt', 'unusedSince', 'usedByCount', 'usedBy'),
};

const TextChange = Type.Optional(orNull(Type.String({ maxLength: LIMITS.altLength })));

export const FileChange = Type.Object(
  {
    ...stored,
    name: Type.Optional(Type.String({ pattern: '\\S', maxLength: LIMITS.nameLength })),
    alt: TextChange,
    title: TextChange,
    caption: TextChange,
    folderId: Type.Optional(orNull(Type.String(), { description: 'null: outside of folders' })),
    focalPoint: Type.Optional(orNull(FocalPoint)),
    tags: Type.Optional(Type.Array(Tag, { maxItems: LIMITS.tags, description: 'Replaces all tags' })),
    status: Type.Optional(Status),
  },
  {
    ...STRICT,
    patternProperties: { [TRANSLATED_MEMBER]: { type: ['string', 'null'], maxLength: LIMITS.altLength } },
  },
);
export type FileChange = Static<typeof FileChange> & Record<string, unknown>;

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

export const Folder = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    parentId: orNull(Type.String(), { description: 'The folder that contains it; null: none' }),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Folder' },
);
export type Folder = Static<typeof Folder>;
export const FolderList = Type.Object({ folders: Type.Array(Folder) });
export const FolderPath = Type.Object({ folderId: Type.String() });

const FolderName = Type.String({ pattern: '\\S', maxLength: LIMITS.folderNameLength });
const folderMembers = {
  parentId: Type.Optional(orNull(Type.String())),
  ...readOnly('id', 'createdAt', 'updatedAt'),
};
export const NewFolder = Type.Object({ name: FolderName, ...folderMembers }, STRICT);
export type NewFolder = Static<typeof NewFolder>;
export const FolderChange = Type.Object({ name: Type.Optional(FolderName), ...folderMembers }, STRICT);
export type FolderChange = Static<typeof FolderChange>;
