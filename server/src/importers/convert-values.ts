import type { SourceField, Values } from './source.ts';

/** What of the other system exists here. */
export interface Known {
  /** By the ids of assets. */
  assets: Map<string, { assetId: string; url: string }>;
  /** The assets by the ends of their URLs. */
  assetUrls: Map<string, string>;
  /** IDs by the keys of entries. */
  entries: Map<string, string>;
  /** The default locale of the account. */
  defaultLocale: string | undefined;
}

export interface Converted {
  values: Values;
  /** The keys of entries and the ids of assets that are referenced and do not exist here. */
  missing: { entries: string[]; assets: string[] };
  /** The IDs of the entries and assets that are referenced. */
  found: string[];
}

type References = Omit<Converted, 'values'>;

/** Values of another system as the API takes them: with the IDs of assets and entries here. What is missing is left out. */
export function convertValues(fields: readonly SourceField[], values: Values, known: Known): Converted {
  const references: References = { missing: { entries: [], assets: [] }, found: [] };
  return { values: convertAll(fields, values, known, references), ...references };
}

function convertAll(fields: readonly SourceField[], values: Values, known: Known, references: References): Values {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const converted: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const [id = '', locale] = name.split('@');
    const field = byId.get(id);
    if (!field || value === undefined) continue;
    const found = convertValue(field, value, known, references);
    if (found !== undefined) converted[nameHere(name, id, locale, known)] = found;
  }
  return converted;
}

const nameHere = (name: string, id: string, locale: string | undefined, { defaultLocale }: Known) =>
  locale === undefined || locale === defaultLocale ? id : name;

/** The names of all values that fields can have here. */
export function namesOf(fields: readonly SourceField[], locales: readonly string[], known: Known): string[] {
  return fields.flatMap(({ id, localized }) =>
    localized ? [id, ...locales.map((locale) => nameHere(`${id}@${locale}`, id, locale, known))] : [id],
  );
}

function convertValue(field: SourceField, value: unknown, known: Known, references: References): unknown {
  if (value === null) return null;
  if (!field.repeated) return convertItem(field, value, known, references);
  const items = [value].flat().flatMap((item) => convertItem(field, item, known, references) ?? []);
  return field.collections ? [...new Set(items)] : items;
}

function convertItem(field: SourceField, value: unknown, known: Known, references: References): unknown {
  if (field.type === 'asset') {
    const asset = known.assets.get(String(value));
    note(references, 'assets', String(value), asset?.assetId);
    return asset && { assetId: asset.assetId };
  }
  if (field.format === 'richtext') return convertRichText(value, known, references);
  if (field.format === 'markdown') return convertUrls(String(value), known, references);
  if (field.collections) {
    const id = known.entries.get(String(value));
    note(references, 'entries', String(value), id);
    return id;
  }
  if (field.isForeignKey) return String(value).slice(String(value).indexOf('/') + 1);
  if (field.type === 'date') return dateOf(value);
  if (field.type === 'timestamp') return timestampOf(value);
  if (field.type !== 'group' || typeof value !== 'object' || value === null) return value;
  const row = value as Values;
  const block = field.blocks?.find(({ id }) => id === row._block);
  const values = convertAll(block ? block.fields : (field.fields ?? []), row, known, references);
  return block ? { _block: block.id, ...values } : values;
}

function note({ missing, found }: References, of: 'entries' | 'assets', name: string, id: string | undefined): void {
  if (id === undefined) missing[of].push(name);
  else found.push(id);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A date of a time, too. */
const dateOf = (value: unknown): unknown => TIME.exec(String(value).trim())?.[1] ?? value;

/** A date is its start; without an offset, other systems mean UTC. */
function timestampOf(value: unknown): unknown {
  const [, date, time = '00:00:00', offset = 'Z'] = TIME.exec(String(value).trim()) ?? [];
  if (date !== undefined)
    return `${date}T${time}${offset.replace(/^([+-]\d\d)(\d\d)?$/, (_, h, m) => `${h}:${m ?? '00'}`)}`;
  const at = typeof value === 'number' ? new Date(value) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : value;
}

function convertRichText(value: unknown, known: Known, references: References): unknown {
  const { html } = Object(value) as { html?: unknown };
  if (typeof html !== 'string') return value;
  const linked = html
    .replace(/ href="imported-entry:([^"]*)"/g, (_, key: string) => {
      const id = known.entries.get(decodeURIComponent(key));
      note(references, 'entries', decodeURIComponent(key), id);
      return id === undefined ? '' : ` href="entry:${id}"`;
    })
    .replace(/ (href|src)="imported-asset:([^"]*)"/g, (_, name: string, sent: string) => {
      const asset = known.assets.get(decodeURIComponent(sent));
      note(references, 'assets', decodeURIComponent(sent), asset?.assetId);
      const isImage = name === 'src';
      return asset ? ` ${name}="${asset.url}"${isImage ? ` data-asset="${asset.assetId}"` : ''}` : '';
    })
    .replace(
      /<(img|a)\b([^>]*?) (src|href)="([^"]+)"/g,
      (whole, tag: string, before: string, name: string, url: string) => {
        const asset = assetAt(url, known, references);
        if (!asset) return whole;
        return `<${tag}${before} ${name}="${asset.url}"${name === 'src' ? ` data-asset="${asset.assetId}"` : ''}`;
      },
    );
  // Only an image that stands for itself is a file of the library.
  return { html: linked.replace(/<p>\s*(<img\b[^>]* data-asset="[^>]*>)\s*<\/p>/g, '<figure>$1</figure>') };
}

/** The asset that a URL of the other system leads to. */
function assetAt(
  url: string,
  { assets, assetUrls }: Known,
  references: References,
): { assetId: string; url: string } | undefined {
  const path = url.replace(/^(?:https?:)?\/\/[^/]+/, '').split(/[?#]/, 1)[0] ?? '';
  if (path.length < 2) return undefined;
  const parts = path.split('/').filter((part) => part !== '');
  for (let from = 0; from < parts.length; from++) {
    const id = assetUrls.get(parts.slice(from).join('/'));
    const asset = id === undefined ? undefined : assets.get(id);
    if (!asset) continue;
    references.found.push(asset.assetId);
    return asset;
  }
  return undefined;
}

const URL_IN_TEXT = /(?:(?:https?:)?\/\/[^\s"'()<>\]]+|(?<=[("'\s])\/[^\s"'()<>\]]+)/g;

function convertUrls(text: string, known: Known, references: References): string {
  return text.replace(URL_IN_TEXT, (url) => assetAt(url, known, references)?.url ?? url);
}
