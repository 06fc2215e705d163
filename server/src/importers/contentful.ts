import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { parseWithTexts } from '../shared/json.ts';
import { fieldId, Notes, type Source, type SourceField } from './source.ts';

/** The parts of the file of `contentful space export` that are read. */
interface Export {
  contentTypes?: ContentType[];
  entries?: Item<Record<string, Localized>>[];
  assets?: Item<{ title?: Localized; file?: Localized }>[];
  locales?: { code: string; default?: boolean }[];
}

interface Item<Fields> {
  sys: { id: string; contentType?: { sys: { id: string } }; publishedVersion?: number; archivedVersion?: number };
  fields?: Fields;
}

type Localized = Record<string, unknown>;

interface ContentType {
  sys: { id: string };
  name: string;
  description?: string;
  displayField?: string;
  fields: ContentField[];
}

interface ContentField {
  id: string;
  name: string;
  type: string;
  required?: boolean;
  omitted?: boolean;
  linkType?: string;
  items?: { type: string; linkType?: string; validations?: { in?: string[] }[] };
  validations?: { in?: string[] }[];
}

interface Link {
  sys?: { id?: string; linkType?: string };
}

/** Reads the file of `contentful space export --download-assets`. Files are in folders beside it, by host and path of their URL. */
export function readContentful(path: string): Source {
  const data = parseWithTexts(readFileSync(path, 'utf8')) as Export;
  if (!Array.isArray(data.contentTypes))
    throw new ConfigError(`${path} is no export of Contentful: it has no contentTypes`);
  const notes = new Notes();
  const locales = data.locales ?? [];
  const locale = locales.find((each) => each.default)?.code ?? locales[0]?.code ?? 'en-US';
  const types = new Map(data.contentTypes.map((type) => [type.sys.id, type]));
  return {
    notes,
    collections: data.contentTypes.map((type) => ({
      id: type.sys.id,
      name: type.name,
      description: type.description || undefined,
      fields: type.fields.map((field) => fieldOf(field, notes)),
      displayFieldId: type.displayField === undefined ? undefined : fieldId(type.displayField),
    })),
    assets: (data.assets ?? []).flatMap((asset) => {
      const file = asset.fields?.file?.[locale] as { url?: string; fileName?: string } | undefined;
      const local = file?.url && join(dirname(path), file.url.replace(/^(https?:)?\/\//, '').split('?', 1)[0] ?? '');
      if (local && existsSync(local)) return { id: asset.sys.id, path: local, name: file.fileName ?? asset.sys.id };
      notes.add('Files that are not in the export were left out; export with --download-assets.');
      return [];
    }),
    entries: (data.entries ?? []).flatMap((entry) => {
      const type = types.get(entry.sys.contentType?.sys.id ?? '');
      if (!type || entry.sys.archivedVersion !== undefined) {
        notes.add('Archived entries were left out.');
        return [];
      }
      if (entry.sys.publishedVersion === undefined) notes.add('Drafts are imported as active entries.');
      const values: Record<string, unknown> = {};
      for (const field of type.fields) {
        const localized = entry.fields?.[field.id];
        if (localized === undefined) continue;
        if (Object.keys(localized).some((code) => code !== locale)) {
          notes.add(`Only the default locale (${locale}) is imported.`);
        }
        const value = readValue(field, localized[locale]);
        if (value !== undefined && value !== null) values[fieldId(field.id)] = value;
      }
      return { id: entry.sys.id, collectionId: type.sys.id, values };
    }),
  };
}

function fieldOf(field: ContentField, notes: Notes): SourceField {
  const isList = field.type === 'Array';
  const type = isList ? (field.items?.type ?? 'Symbol') : field.type;
  const linkType = isList ? field.items?.linkType : field.linkType;
  const choices = (isList ? field.items?.validations : field.validations)?.find((each) => each.in)?.in;
  const common = {
    id: fieldId(field.id),
    label: field.name,
    ...(field.required && !field.omitted && { required: true }),
    ...(isList && { repeated: true }),
  };
  if (type === 'Link' && linkType === 'Asset') return { ...common, type: 'asset' };
  if (type === 'Link')
    notes.add(`References to entries are imported as the ids that they have in Contentful (${field.id}).`);
  if (type === 'RichText') notes.add(`Rich text is imported as plain text (${field.id}).`);
  if (type === 'Object' || type === 'Location')
    notes.add(`Objects and locations are imported as JSON text (${field.id}).`);
  if (type === 'Integer' || type === 'Number') return { ...common, type: 'number' };
  if (type === 'Boolean') return { ...common, type: 'boolean' };
  if (type === 'Date') return { ...common, type: 'timestamp' };
  if (type === 'Symbol' && choices) {
    return { ...common, type: 'select', options: choices.map((value) => ({ value, label: value })) };
  }
  return { ...common, type: 'text' };
}

function readValue(field: ContentField, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (field.type === 'Array') return (value as unknown[]).map((each) => scalar(field.items?.type ?? 'Symbol', each));
  return scalar(field.type, value);
}

function scalar(type: string, value: unknown): unknown {
  if (type === 'Link') return (value as Link).sys?.id ?? null;
  if (type === 'RichText') return plainText(value).trim();
  if (type === 'Object' || type === 'Location') return JSON.stringify(value);
  return value;
}

const BLOCKS = /^(paragraph|heading-\d|list-item|blockquote|hr|table-row)$/;

function plainText(node: unknown): string {
  const {
    nodeType = '',
    value,
    content = [],
  } = (node ?? {}) as { nodeType?: string; value?: string; content?: unknown[] };
  const text = value ?? content.map(plainText).join('');
  return BLOCKS.test(nodeType) ? `${text.trimEnd()}\n` : text;
}
