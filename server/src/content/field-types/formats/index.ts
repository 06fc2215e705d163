import type { FieldTypeDefinition } from '../field-type.ts';
import { color } from './color.ts';
import { email } from './email.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { reference } from './reference.ts';
import { richtext } from './richtext.ts';
import { slug } from './slug.ts';

export const TEXT_FORMATS = ['slug', 'markdown', 'richtext', 'email', 'color', 'json', 'reference'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** The registry of formats of text. To add one, write its file and add it here and to `TEXT_FORMATS`. */
export const textFormats: Record<TextFormat, FieldTypeDefinition> = {
  slug,
  markdown,
  richtext,
  email,
  color,
  json,
  reference,
} satisfies Record<TextFormat, FieldTypeDefinition>;
