/** The registry of formats of text. The compiler reports one the service knows and this misses. */
import type { Field } from '@headwater/sdk';
import type { FieldTypeDefinition } from '../definition.ts';
import { color } from './color.tsx';
import { email } from './email.tsx';
import { json } from './json.tsx';
import { markdown } from './markdown.tsx';
import { reference } from './reference.tsx';
import { richtext } from './richtext.tsx';
import { slug } from './slug.tsx';

export type TextFormat = NonNullable<Field['format']>;

export const TEXT_FORMATS = {
  slug,
  markdown,
  richtext,
  email,
  color,
  json,
  reference,
} satisfies Record<TextFormat, FieldTypeDefinition>;
