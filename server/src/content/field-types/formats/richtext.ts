import { escapeFormula, unescapeFormula } from '../../../shared/csv.ts';
import { parseId } from '../../../shared/ids.ts';
import { LIMITS } from '../../limits.ts';
import { checkText, defineFieldType, defineSetting, quoted, type ValueContext, ValueFault } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';
import { collectionIdsSchema, onDelete, sentCollectionIds } from './reference.ts';
import {
  assetsOf,
  htmlToRichText,
  markdownToRichText,
  parseRichText,
  type RichText,
  richTextToText,
} from './rich-text.ts';
import { linksOf } from './rich-text-document.ts';
import { richTextToMarkdown } from './rich-text-markdown.ts';

// The index tells whether an entry has a text, and to which entries it links.
const PRESENT = '1';

const collectionIds = defineSetting<string[]>({
  schema: collectionIdsSchema,
  sent: sentCollectionIds,
  merge(sent, known) {
    const merged = [...new Set(sent ?? known ?? [])];
    return merged.length === 0 ? undefined : merged;
  },
});

/** A document as a JSON tree, which can also be written as Markdown or HTML. In CSV files it is Markdown. */
export const richtext = defineFieldType<RichText>({
  description:
    'a formatted text as a JSON tree, `{type: "doc", content: […]}`; it can also be written as `{markdown}` or `{html}`',
  sdkType: { read: 'RichText', write: 'RichText | { markdown: string } | { html: string }' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: true,
  isSortable: false,
  isImportKey: false,
  operators: ['contains', 'exists'],
  validation: [],
  settings: { collectionIds, onDelete },
  check(value, context) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return context.fault('type', `${quoted(context)} must be an object.`);
    }
    const tree = treeOf(value, context);
    if (tree === undefined) return undefined;
    const parsed = parseRichText(tree);
    if ('fault' in parsed) {
      return context.fault('richtext_invalid', `${quoted(context)} is not a valid document: ${parsed.fault}.`);
    }
    if (JSON.stringify(parsed.document).length <= LIMITS.richTextLength) {
      for (const assetId of assetsOf(parsed.document)) context.useAsset({ assetId });
      const links = linksOf(parsed.document);
      // A text keeps a link whose target was deleted since.
      const before = links.size === 0 ? [] : context.stored().flatMap((each) => [...linksOf(each as RichText)]);
      for (const entryId of links.difference(new Set(before))) {
        if (parseId('ent', entryId) === undefined) {
          return context.fault('reference_unknown', `${quoted(context)} must link to existing entries.`);
        }
        context.useEntry(entryId);
      }
      return parsed.document;
    }
    const detail = `${quoted(context)} must have at most ${LIMITS.richTextLength} characters as JSON.`;
    return context.fault('too_large', detail);
  },
  parseOperand: (_operand, field) =>
    new ValueFault('value_invalid', `${quoted({ field })} can only be filtered by contains and exists.`),
  textOf: richTextToText,
  sortKey: () => PRESENT,
  otherKeys: (document) => [...linksOf(document)],
  sortRange: () => exactRange(PRESENT),
  filterBits: null,
  csv: {
    parse: (cell) => ({ markdown: unescapeFormula(cell) }) as never,
    format: (value) => escapeFormula(richTextToMarkdown(value)),
    fromJson: (item) => (typeof item === 'string' ? { markdown: item } : item),
    toJson: richTextToMarkdown,
  },
});

const CONVERTERS = new Map([
  ['markdown', markdownToRichText],
  ['html', htmlToRichText],
]);

/** The tree of a value, however it is written. */
function treeOf(value: object, context: ValueContext): object | undefined {
  const [name = '', ...others] = Object.keys(value);
  const convert = CONVERTERS.get(name);
  if (convert === undefined || others.length > 0) return value;
  const text = checkText((value as Record<string, unknown>)[name], context, LIMITS.textLength);
  if (text === undefined) return undefined;
  try {
    return convert(text);
  } catch (error) {
    if (error instanceof RangeError) {
      return context.fault('richtext_invalid', `${quoted(context)} is nested too deep.`);
    }
    if (!(error instanceof TypeError)) throw error;
    return context.fault('richtext_invalid', `${quoted(context)} cannot be converted to a document.`);
  }
}
