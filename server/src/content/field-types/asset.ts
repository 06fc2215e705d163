import { escapeFormula, unescapeFormula } from '../../shared/csv.ts';
import { parseId } from '../../shared/ids.ts';
import { defineFieldType, EQUALITY_OPERATORS, quoted, ValueFault } from './field-type.ts';
import { exactRange } from './sort-key.ts';

/** Stored as a reference; responses contain the whole asset. */
export interface AssetReference {
  assetId: string;
}

const READ_ONLY_MEMBERS = new Set(['assetId', 'url', 'type', 'name', 'width', 'height']);

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
    for (const name of Object.keys(value)) {
      if (READ_ONLY_MEMBERS.has(name)) continue;
      context.fault('unknown_property', `${quoted(context)} has an unknown member "${name}".`, name);
    }
    const { assetId } = value as { assetId?: unknown };
    if (assetId === undefined) return context.fault('required', `${quoted(context)} needs an assetId.`, 'assetId');
    if (typeof assetId !== 'string') {
      return context.fault('type', `The assetId of ${quoted(context)} must be a string.`, 'assetId');
    }
    context.useAsset(assetId);
    return { assetId };
  },
  parseOperand(operand, field) {
    if (parseId('ast', operand) !== undefined) return { assetId: operand };
    return new ValueFault('value_invalid', `${quoted({ field })} must be the ID of an asset.`);
  },
  sortKey: ({ assetId }) => assetId,
  sortRange: ({ assetId }) => exactRange(assetId),
  filterBits: null,
  csv: {
    parse: (cell) => ({ assetId: unescapeFormula(cell.trim()) }),
    format: ({ assetId }) => escapeFormula(assetId),
    fromJson: (item) => (typeof item === 'string' ? { assetId: item } : item),
    toJson: ({ assetId }) => assetId,
  },
});
