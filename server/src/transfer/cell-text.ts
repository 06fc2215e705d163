import { type Field, isActive, type Values } from '../content/index.ts';
import { defuse } from '../shared/csv.ts';
import { type Target, typedBy } from './targets.ts';

/**
 * A stored value as a cell of a file has it; no value is an empty cell. A repeated field is a JSON array, in which an asset
 * is its id and a group an object.
 */
export function cellText(target: Target, value: unknown): string {
  if (value === undefined) return '';
  const { field } = target;
  if (Array.isArray(value)) return JSON.stringify(value.map((each) => plain(field, each)));
  const typed = typedBy(target);
  if (typed.type === 'asset') return (value as { assetId: string }).assetId;
  return typeof value === 'string' ? defuse(value) : String(value);
}

/** One value of a repeated field. */
function plain(field: Field, value: unknown): unknown {
  if (field.type === 'asset') return (value as { assetId: string }).assetId;
  if (field.type !== 'group') return value;
  const group = value as Values;
  const shown = (field.fields ?? []).filter((nested) => isActive(nested) && Object.hasOwn(group, nested.id));
  return Object.fromEntries(
    shown.map((nested) => [
      nested.id,
      nested.type === 'asset' ? (group[nested.id] as { assetId: string }).assetId : group[nested.id],
    ]),
  );
}
