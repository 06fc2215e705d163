import { type Static, Type } from 'typebox';
import { Time } from '../../shared/http/schemas.ts';

export const Preview = Type.Object(
  {
    url: Type.String({ description: "The collection's `previewUrl` for this entry" }),
    token: Type.String({
      description: 'Reads drafts with the parameter `preview` of public content, together with a publishable key',
    }),
    expiresAt: Time(),
  },
  { title: 'EntryPreview' },
);
export type Preview = Static<typeof Preview>;

export const PreviewToken = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'A token of a preview: returns entries of its collection with their latest values, published or not, and what is ' +
      'published of other collections; or, of a preview of a release or time, public content as it will be. Never cached',
  }),
);

export const Origins = Type.Optional(
  Type.Boolean({
    description:
      'With `preview`: `true` ends texts by invisible characters that say from which entry and field they come, for click to edit. ' +
      'Not slugs, URLs, selects, numbers or dates',
  }),
);
