/** The registry of formats. The compiler reports one the service knows and this misses. */
import type { Field } from '@headwater/sdk';
import type { FieldTypeDefinition } from '../definition.ts';
import { blocks } from './blocks.tsx';
import { color } from './color.tsx';
import { decimal } from './decimal.tsx';
import { email } from './email.tsx';
import { integer } from './integer.tsx';
import { json } from './json.tsx';
import { markdown } from './markdown.tsx';
import { point } from './point.tsx';
import { reference } from './reference.tsx';
import { richtext } from './richtext.tsx';
import { slug } from './slug.tsx';
import { time } from './time.tsx';

export type TextFormat = NonNullable<Field['format']>;

export const FORMATS = {
  slug,
  markdown,
  richtext,
  email,
  color,
  json,
  reference,
  time,
  point,
  integer,
  decimal,
  blocks,
} satisfies Record<TextFormat, FieldTypeDefinition>;
