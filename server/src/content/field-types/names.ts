export const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'date',
  'timestamp',
  'url',
  'asset',
  'select',
  'group',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Formats of the values of a type: of text, unless their definition has another one. */
export const FORMATS = [
  'slug',
  'markdown',
  'richtext',
  'email',
  'color',
  'json',
  'reference',
  'time',
  'point',
  'integer',
  'decimal',
  'blocks',
] as const;
/** `position` is that of a field which no request has. */
export type Format = (typeof FORMATS)[number] | 'position';
