import type { RichText } from '@headwater/sdk';
import { richTextToHtml } from '../../../server/src/content/field-types/formats/rich-text-html.ts';

/** Of documents that did not change since. */
const known = new WeakMap<object, string>();

const isRichText = (value: object): value is RichText =>
  'type' in value && value.type === 'doc' && Array.isArray((value as RichText).content);

/** The rich texts of values as the service returns them, by the path of each. Rows are named by their IDs. */
export function htmlOf(values: unknown, path = '', found: Record<string, string> = {}): Record<string, string> {
  if (typeof values !== 'object' || values === null) return found;
  if (isRichText(values)) {
    const html = known.get(values) ?? richTextToHtml(values);
    known.set(values, html);
    found[path] = html;
    return found;
  }
  for (const [name, value] of Object.entries(values)) {
    const own = Array.isArray(values) ? ((value as { _id?: string } | null)?._id ?? name) : name;
    htmlOf(value, path === '' ? own : `${path}.${own}`, found);
  }
  return found;
}
