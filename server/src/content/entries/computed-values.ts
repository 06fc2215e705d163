import { type Field, fieldsOfRow, isActive, membersOf, type NestedField } from '../collections/field.ts';
import { isGroup } from '../field-types/group.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { translationId } from '../locales/check-locales.ts';

/** The values of an entry by field ID, as they are stored: assets as references, times in UTC, no nulls. */
export type Values = Record<string, unknown>;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The paths in a template: a field, or `group.field`. */
export const pathsOf = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => path.trim());

/** Replaces the values of computed fields by what the others make, also in groups. Returns whether one of them is another one. */
export function computeValues(fields: readonly NestedField[], values: Values): boolean {
  let isChanged = false;
  for (const field of fields) {
    const { computed } = field;
    if ((computed === undefined && !isComputing(field)) || !isActive(field)) continue;
    const before = values[field.id];
    const value = computed === undefined ? within(field, before) : render(field, computed, values);
    if (value === before) continue;
    isChanged = true;
    if (value === undefined) delete values[field.id];
    else values[field.id] = value;
  }
  return isChanged;
}

/** A group or its rows with their computed values; the same if none is another one. */
function within(field: NestedField, value: unknown): unknown {
  const computed = (row: unknown) => {
    if (!isGroup(row)) return row;
    const copy = { ...row };
    return computeValues(fieldsOfRow(field, row), copy) ? copy : row;
  };
  if (!Array.isArray(value)) return computed(value);
  const rows = value.map(computed);
  return rows.some((row, i) => row !== value[i]) ? rows : value;
}

const computing = new WeakMap<NestedField, boolean>();

/** Whether a group has computed fields. */
function isComputing(field: NestedField): boolean {
  if (field.type !== 'group') return false;
  let known = computing.get(field);
  if (known === undefined) {
    known = hasComputed(membersOf(field));
    computing.set(field, known);
  }
  return known;
}

export const hasComputed = (fields: readonly NestedField[]): boolean =>
  fields.some((field) => field.computed !== undefined || isComputing(field));

/** What decides about the values of computed fields. */
export const templatesOf = (fields: readonly NestedField[]): string => JSON.stringify(templatesIn(fields));

const templatesIn = (fields: readonly NestedField[]): [key: number, template: string][] =>
  fields.filter(isActive).flatMap((field): [number, string][] => {
    if (field.computed !== undefined) return [[field.key, field.computed]];
    const parts = field.blocks ? field.blocks.filter(isActive) : [{ fields: field.fields ?? [] }];
    return parts.flatMap((part) => templatesIn(part.fields));
  });

/** Undefined without any value; of a translation, without any in its locale. */
function render(field: Field | NestedField, template: string, values: Values): string | undefined {
  let hasValue = false;
  const text = template.replace(PLACEHOLDER, (_, path: string) => {
    const { value, isOwn } = valueAt(values, path.trim(), 'locale' in field ? field.locale : undefined);
    if (value === undefined || value === null) return '';
    if (isOwn) hasValue = true;
    return [value].flat().map(String).join(', ');
  });
  return hasValue
    ? text.replace(/\s+/g, ' ').trim().slice(0, LIMITS.textLength).toWellFormed() || undefined
    : undefined;
}

function valueAt(values: Values, path: string, locale: string | undefined): { value: unknown; isOwn: boolean } {
  const [id = '', member] = path.split('.');
  const own = locale === undefined ? undefined : read(values, translationId(id, locale), member);
  if (own !== undefined) return { value: own, isOwn: true };
  return { value: read(values, id, member), isOwn: locale === undefined };
}

function read(values: Values, id: string, member: string | undefined): unknown {
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  if (member === undefined) return value;
  return isGroup(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

type AddFault = (pointer: string, code: string, detail: string) => void;

/** Checks that templates name fields beside them with plain values, and tell nobody what is private. */
export function checkComputed(
  fields: readonly NestedField[],
  pointer: string,
  fault: AddFault,
  isPrivate = false,
): void {
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const [i, field] of fields.entries()) {
    if (!isActive(field)) continue;
    const own = `${pointer}/${i}`;
    const isHidden = isPrivate || field.private === true;
    if (field.fields) checkComputed(field.fields, `${own}/fields`, fault, isHidden);
    for (const [j, block] of (field.blocks ?? []).entries()) {
      if (isActive(block)) checkComputed(block.fields, `${own}/blocks/${j}/fields`, fault, isHidden);
    }
    if (field.computed === undefined) continue;
    const at = `${own}/computed`;
    const paths = pathsOf(field.computed);
    if (paths.length === 0) fault(at, 'computed_invalid', 'Name at least one field, such as "{firstName} {lastName}".');
    for (const path of paths) {
      const [id = '', member, ...more] = path.split('.');
      const owner = byId.get(id);
      const source = member === undefined ? owner : owner?.fields?.find((each) => each.id === member);
      const isPlain = source && ['plain', 'options'].includes(typeOf(source).structure) && !typeOf(source).textOf;
      if (!source || !owner || more.length > 0 || !isActive(owner) || !isActive(source) || owner.repeated) {
        fault(
          at,
          'field_unknown',
          `"{${path}}" is no active field beside it, or of a group there that is not repeated.`,
        );
      } else if (!isPlain || ['json', 'point'].includes(source.format ?? '') || source.computed) {
        fault(at, 'computed_invalid', `"{${path}}" has no plain text or number, or is computed itself.`);
      } else if ((owner.private || source.private) && !isHidden) {
        fault(at, 'computed_private', `"{${path}}" is private, so the computed field must be private as well.`);
      }
    }
  }
}
