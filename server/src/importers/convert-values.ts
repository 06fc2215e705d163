import type { SourceField } from './source.ts';

type Values = Record<string, unknown>;

/** What of the other system exists here: IDs by its keys. */
export interface Known {
  assets: Record<string, string>;
  entries: Record<string, string>;
  /** The default locale of the account. */
  defaultLocale: string | undefined;
}

export interface Converted {
  values: Values;
  /** IDs of fields with references to entries that do not exist yet. */
  unresolved: string[];
}

/** Values of another system as the API takes them: with the IDs of assets and entries here. What is missing is left out. */
export function convertValues(fields: readonly SourceField[], values: Values, known: Known): Converted {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const converted: Converted = { values: {}, unresolved: [] };
  for (const [name, value] of Object.entries(values)) {
    const [id = '', locale] = name.split('@');
    const field = byId.get(id);
    if (!field || value === undefined) continue;
    const target = locale === undefined || locale === known.defaultLocale ? id : name;
    const missing: string[] = [];
    const found = convertValue(field, value, known, missing);
    if (missing.length > 0) converted.unresolved.push(target);
    if (found !== undefined) converted.values[target] = found;
  }
  return converted;
}

function convertValue(field: SourceField, value: unknown, known: Known, missing: string[]): unknown {
  if (value === null) return null;
  if (field.repeated) {
    return [value].flat().flatMap((item) => {
      const found = convertItem(field, item, known, missing);
      return found === undefined ? [] : [found];
    });
  }
  return convertItem(field, value, known, missing);
}

function convertItem(field: SourceField, value: unknown, known: Known, missing: string[]): unknown {
  if (field.type === 'asset') {
    const assetId = known.assets[String(value)];
    return assetId === undefined ? undefined : { assetId };
  }
  if (field.collections) {
    const id = known.entries[String(value)];
    if (id === undefined) missing.push(String(value));
    return id;
  }
  if (field.isForeignKey) return String(value).slice(String(value).indexOf('/') + 1);
  if (field.type !== 'group') return value;
  const row = value as Values;
  const block = field.blocks?.find(({ id }) => id === row._block);
  const { values, unresolved } = convertValues(block ? block.fields : (field.fields ?? []), row, known);
  missing.push(...unresolved);
  return block ? { _block: block.id, ...values } : values;
}
