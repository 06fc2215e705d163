import { parseWithTexts } from '../shared/json.ts';
import { fieldId, type Notes, type SourceField } from './source.ts';

export interface DirectusField {
  collection: string;
  field: string;
  type: string;
  meta?: {
    required?: boolean;
    special?: string[] | null;
    sort?: number | null;
    options?: { choices?: { text: string; value: string }[] | null } | null;
    interface?: string | null;
    note?: string | null;
  } | null;
  schema?: { is_primary_key?: boolean; is_unique?: boolean; max_length?: number | null } | null;
}

const UNIQUE = /^(string|text|uuid|integer|bigInteger|float|decimal|date|dateTime|timestamp)$/;

/** What all types of fields have. */
export const common = ({ field, type, meta, schema }: DirectusField) => ({
  id: fieldId(field),
  label: field,
  ...(meta?.required && { required: true }),
  ...(schema?.is_unique && UNIQUE.test(type) && { unique: true }),
  ...(meta?.note && { helpText: meta.note }),
});

const FORMATS: Record<string, string> = { time: 'time', bigInteger: 'integer', decimal: 'decimal', json: 'json' };

/** The field here; undefined if there is none for its type. */
export function fieldOf(field: DirectusField, notes: Notes): SourceField | undefined {
  const { type, meta } = field;
  const kind = meta?.interface ?? '';
  const choices = meta?.options?.choices;
  const own = common(field);
  if (type === 'bigInteger' || type === 'decimal') return { ...own, type: 'number', format: FORMATS[type] as string };
  if (type === 'integer' || type === 'float') return { ...own, type: 'number' };
  if (type === 'boolean' || type === 'date') return { ...own, type };
  if (type === 'timestamp' || type === 'dateTime') return { ...own, type: 'timestamp' };
  if (type === 'csv') return { ...own, type: 'text', repeated: true };
  if (type === 'hash' || type === 'binary') {
    const { collection, field: name } = field;
    notes.add(`Fields of the type ${type} are not imported.`, { collection, unit: 'field', name });
    return undefined;
  }
  if (type === 'geometry.Point') return { ...own, type: 'text', format: 'point' };
  if (type.startsWith('geometry')) return { ...own, type: 'text', format: 'json' };
  if (type === 'json' && kind === 'select-multiple-dropdown' && choices) {
    return { ...own, type: 'select', repeated: true, options: optionsOf(choices) };
  }
  if (type === 'json' && kind === 'tags') return { ...own, type: 'text', repeated: true };
  const format = FORMATS[type];
  if (format !== undefined) return { ...own, type: 'text', format };
  if (/rich-text-html|wysiwyg/.test(kind)) return { ...own, type: 'text', format: 'richtext' };
  if (/rich-text-md|markdown/.test(kind)) return { ...own, type: 'text', format: 'markdown' };
  if (kind === 'select-color') return { ...own, type: 'text', format: 'color' };
  if (type === 'string' && choices && /^select-(dropdown|radio)$/.test(kind)) {
    return { ...own, type: 'select', options: optionsOf(choices) };
  }
  return { ...own, type: 'text' };
}

const optionsOf = (choices: readonly { text: string; value: string }[]) =>
  choices.map(({ text, value }) => ({ value: String(value), label: text }));

/** A value as the import sends it. */
export function readValue(field: DirectusField, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const { type, meta } = field;
  if (type === 'json') return typeof value === 'string' ? parsed(value) : value;
  if (type === 'csv') return Array.isArray(value) ? value.map(String) : String(value).split(',');
  if (type === 'geometry.Point') {
    const [lng, lat] = (value as { coordinates?: number[] }).coordinates ?? [];
    return lat === undefined ? undefined : { lat, lng };
  }
  if (type.startsWith('geometry')) return value;
  if (type === 'bigInteger' || type === 'decimal') return String(value);
  if (type === 'time') return String(value).slice(0, 8);
  if (/rich-text-html|wysiwyg/.test(meta?.interface ?? '')) return { html: String(value) };
  if (typeof value === 'object') return JSON.stringify(value);
  return /^(string|text|uuid)$/.test(type) ? String(value) : value;
}

function parsed(text: string): unknown {
  try {
    return parseWithTexts(text);
  } catch {
    return text;
  }
}
