import { setImmediate } from 'node:timers/promises';
import { type Collection, isActive, type NestedField } from '../collections/collection.ts';
import { type RichText, richTextToMarkdown } from '../field-types/formats/rich-text.ts';
import { richTextToHtml } from '../field-types/formats/rich-text-html.ts';
import type { Values } from './check-values.ts';

export type RichTextFormat = 'json' | 'html' | 'markdown';

/** How rich texts are returned; undefined: as they are stored. */
export const RICH_TEXT: Record<RichTextFormat, ((document: RichText) => string) | undefined> = {
  json: undefined,
  html: richTextToHtml,
  markdown: richTextToMarkdown,
};

/** Entries are converted for this long before other requests get their turn. */
const TURN_MS = 5;

/** Converts the rich texts of values, which are changed. */
export async function presentRichText(
  all: readonly { collection: Collection; values: Values }[],
  convert: (document: RichText) => string,
): Promise<void> {
  let start = performance.now();
  for (const { collection, values } of all) {
    convertFields(collection.fields, values, convert);
    if (performance.now() - start < TURN_MS) continue;
    await setImmediate();
    start = performance.now();
  }
}

function convertFields(
  fields: readonly (NestedField & { fields?: NestedField[] | null })[],
  values: Values,
  convert: (document: RichText) => string,
): void {
  for (const field of fields) {
    if (!isActive(field) || !Object.hasOwn(values, field.id)) continue;
    const value = values[field.id];
    if (field.fields) for (const group of [value].flat()) convertFields(field.fields, group as Values, convert);
    else if (field.format === 'richtext') {
      values[field.id] = Array.isArray(value) ? value.map(convert) : convert(value as RichText);
    }
  }
}
