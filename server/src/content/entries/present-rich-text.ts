import { mapInTurns } from '../../shared/turns.ts';
import type { Collection } from '../collections/collection.ts';
import { fieldsOfRow, isActive, type NestedField } from '../collections/field.ts';
import type { RichText } from '../field-types/formats/rich-text-document.ts';
import { richTextToHtml } from '../field-types/formats/rich-text-html.ts';
import { richTextToMarkdown } from '../field-types/formats/rich-text-markdown.ts';
import type { Values } from './check-values.ts';

export type RichTextFormat = 'json' | 'html' | 'markdown';

/** How rich texts are returned; undefined: as they are stored. */
export const RICH_TEXT: Record<RichTextFormat, ((document: RichText) => string) | undefined> = {
  json: undefined,
  html: richTextToHtml,
  markdown: richTextToMarkdown,
};

/** Converts the rich texts of values, which are changed. */
export async function presentRichText(
  all: readonly { collection: Collection; values: Values }[],
  convert: (document: RichText) => unknown,
): Promise<void> {
  await mapInTurns(all, ({ collection, values }) => convertFields(collection.fields, values, convert));
}

function convertFields(fields: readonly NestedField[], values: Values, convert: (document: RichText) => unknown): void {
  for (const field of fields) {
    if (!isActive(field) || !Object.hasOwn(values, field.id)) continue;
    const value = values[field.id];
    if (field.fields) {
      for (const row of [value].flat()) convertFields(fieldsOfRow(field, row), row as Values, convert);
    } else if (field.format === 'richtext') {
      values[field.id] = Array.isArray(value) ? value.map(convert) : convert(value as RichText);
    }
  }
}
