import { FILE_LIMITS, FILE_TEXTS } from '../../files/index.ts';
import { hasMoreCharacters } from '../../shared/characters.ts';
import { escapeFormula, unescapeFormula } from '../../shared/csv.ts';
import { parseId } from '../../shared/ids.ts';
import { parseExactly } from '../../shared/json.ts';
import {
  type AssetReference,
  defineFieldType,
  EQUALITY_OPERATORS,
  quoted,
  type ValueContext,
  ValueFault,
} from './field-type.ts';
import { exactRange } from './sort-key.ts';

/** What the service fills in: an asset as it was read can be sent back. */
const READ_ONLY_MEMBERS = new Set([
  ...['assetId', 'url', 'type', 'mediaType', 'name', 'bytes', 'width', 'height', 'duration'],
  ...['placeholder', 'poster', 'srcset', 'removed'],
]);

export const asset = defineFieldType<AssetReference>({
  description: 'an object with the `assetId` of an uploaded file; responses contain the whole asset',
  sdkType: { read: 'AssetValue', write: "Pick<AssetValue, 'assetId'>" },
  structure: 'asset',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: false,
  isImportKey: false,
  operators: EQUALITY_OPERATORS,
  validation: [],
  check(value, context) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return context.fault('type', `${quoted(context)} must be an object with an assetId.`);
    }
    const own: Partial<AssetReference> = {};
    for (const [name, member] of Object.entries(value)) {
      if (READ_ONLY_MEMBERS.has(name)) continue;
      const text = FILE_TEXTS.find((each) => each === name);
      if (text !== undefined) {
        const checked = checkOwnText(member, name, context);
        if (checked !== undefined) own[text] = checked;
      } else if (name === 'focalPoint') {
        const checked = checkFocalPoint(member, context);
        if (checked) own.focalPoint = checked;
      } else context.fault('unknown_property', `${quoted(context)} has an unknown member "${name}".`, name);
    }
    const { assetId } = value as { assetId?: unknown };
    if (assetId === undefined) return context.fault('required', `${quoted(context)} needs an assetId.`, 'assetId');
    if (typeof assetId !== 'string') {
      return context.fault('type', `The assetId of ${quoted(context)} must be a string.`, 'assetId');
    }
    const reference = { assetId, ...own };
    context.useAsset(reference);
    return reference;
  },
  parseOperand(operand, field) {
    if (parseId('ast', operand) !== undefined) return { assetId: operand };
    return new ValueFault('value_invalid', `${quoted({ field })} must be the ID of an asset.`);
  },
  sortKey: ({ assetId }) => assetId,
  sortRange: ({ assetId }) => exactRange(assetId),
  filterBits: null,
  csv: {
    parse: (cell) => parseCell(cell.trim()),
    format: (reference) => (isPlain(reference) ? escapeFormula(reference.assetId) : JSON.stringify(reference)),
    fromJson: (item) => (typeof item === 'string' ? { assetId: item } : item),
    toJson: (reference) => (isPlain(reference) ? reference.assetId : reference),
  },
});

/** Whether all members are those of the file. */
const isPlain = (reference: AssetReference) => Object.keys(reference).length === 1;

/** A cell contains the ID, or a JSON object if the entry sets members of its own. */
function parseCell(cell: string): AssetReference {
  if (cell.startsWith('{')) {
    try {
      return parseExactly(cell) as AssetReference;
    } catch {
      // Refused as an ID.
    }
  }
  return { assetId: unescapeFormula(cell) };
}

const { altLength } = FILE_LIMITS.values;

/** A text of its own; null means that of the file. */
function checkOwnText(value: unknown, name: string, context: ValueContext): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'string')
    return context.fault('type', `The ${name} of ${quoted(context)} must be a string.`, name);
  if (!hasMoreCharacters(value, altLength)) return value;
  return context.fault(
    'too_long',
    `The ${name} of ${quoted(context)} must have at most ${altLength} characters.`,
    name,
  );
}

function checkFocalPoint(value: unknown, context: ValueContext): { x: number; y: number } | undefined {
  if (value === null) return undefined;
  const { x, y } = (value ?? {}) as Record<string, unknown>;
  const isFraction = (each: unknown) => typeof each === 'number' && each >= 0 && each <= 1;
  if (isFraction(x) && isFraction(y)) return { x: x as number, y: y as number };
  const detail = `The focalPoint of ${quoted(context)} must be {"x", "y"} with fractions from 0 to 1.`;
  return context.fault('type', detail, 'focalPoint');
}
