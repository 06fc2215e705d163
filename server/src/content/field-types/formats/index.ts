import type { FieldTypeDefinition } from '../field-type.ts';
import type { Format } from '../names.ts';
import { blocks } from './blocks.ts';
import { color } from './color.ts';
import { decimal } from './decimal.ts';
import { email } from './email.ts';
import { integer } from './integer.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { point } from './point.ts';
import { position } from './position.ts';
import { reference } from './reference.ts';
import { richtext } from './richtext.ts';
import { slug } from './slug.ts';
import { time } from './time.ts';

/** The registry of formats. To add one, write its file and add it here and to `FORMATS`. */
export const formats: Record<Format, FieldTypeDefinition> = {
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
  position,
  blocks,
} satisfies Record<Format, FieldTypeDefinition>;
