import type { Fault } from '../../shared/errors.ts';
import type { FieldChange } from '../contract.ts';
import type { TextFormat } from '../field-types/index.ts';
import { type Field, isActive } from './collection.ts';

type AddFault = (pointer: string, code: string, detail: string) => void;
type FormatMembers = Pick<Field, 'format' | 'slugSource' | 'collectionIds' | 'onDelete'>;

/** Formats whose values are the same texts. Only between these can the format of a field change. */
const isAnyText = (format: TextFormat | undefined) => format === undefined || format === 'markdown';

/** The format of a field after a request, and the members that belong to it. */
export function mergeFormat(
  known: Field | undefined,
  sent: FieldChange,
  nested: boolean,
  at: string,
  fault: AddFault,
): FormatMembers {
  const before = known?.format;
  const format = sent.format === undefined ? before : (sent.format ?? undefined);
  if (format !== undefined && (known?.type ?? sent.type) !== 'text') {
    fault(`${at}/format`, 'format_not_allowed', 'Only a field of type "text" can have a format.');
    return {};
  }
  if (known && format !== before && !(isAnyText(before) && isAnyText(format))) {
    const detail = `The format of "${known.label}" cannot change, except between plain text and Markdown.`;
    fault(`${at}/format`, 'format_immutable', detail);
  }
  const belongs = (name: 'slugSource' | 'collectionIds' | 'onDelete', to: TextFormat) => {
    if (format === to) return true;
    if (sent[name] != null) {
      fault(`${at}/${name}`, `${snakeCase(name)}_not_allowed`, `Only a field with the format "${to}" has ${name}.`);
    }
    return false;
  };
  if (format === 'slug' && (nested || (known?.repeated ?? sent.repeated))) {
    fault(`${at}/format`, 'format_not_allowed', 'A slug is a single value of an entry, not part of a group or a list.');
  }
  const members: FormatMembers = {};
  if (format !== undefined) members.format = format;
  if (belongs('slugSource', 'slug')) {
    const slugSource = sent.slugSource === undefined ? known?.slugSource : sent.slugSource;
    if (slugSource != null) members.slugSource = slugSource;
  }
  if (belongs('collectionIds', 'reference')) {
    members.collectionIds = [...new Set(sent.collectionIds ?? known?.collectionIds ?? [])];
    if (members.collectionIds.length === 0) {
      fault(`${at}/collectionIds`, 'required', 'A reference needs the collections whose entries it can reference.');
    }
  }
  if (belongs('onDelete', 'reference') && (sent.onDelete ?? known?.onDelete) === 'refuse') members.onDelete = 'refuse';
  return members;
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A slug is derived from a single text of the same entry. The source may be deleted later: nothing is derived then. */
export function checkSlugSources(fields: readonly Field[], sent: readonly FieldChange[], faults: Fault[]): void {
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const [i, { slugSource }] of sent.entries()) {
    if (slugSource == null) continue;
    const source = byId.get(slugSource);
    if (source && isActive(source) && isSlugSource(source)) continue;
    const detail = 'A slug is derived from an active text field that is not repeated.';
    faults.push({ pointer: `/fields/${i}/slugSource`, code: 'slug_source_invalid', detail });
  }
}

export const isSlugSource = ({ type, format, repeated }: Field) => type === 'text' && !repeated && isAnyText(format);
