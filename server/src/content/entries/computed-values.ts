import { type Field, isActive } from '../collections/field.ts';
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

/** Replaces the values of computed fields by what the others make. Returns whether one of them is another one. */
export function computeValues(fields: readonly Field[], values: Values): boolean {
  let isChanged = false;
  for (const field of fields) {
    if (field.computed === undefined || !isActive(field)) continue;
    const text = render(field, field.computed, values);
    if (text === values[field.id]) continue;
    isChanged = true;
    if (text === undefined) delete values[field.id];
    else values[field.id] = text;
  }
  return isChanged;
}

export const hasComputed = (fields: readonly Field[]): boolean => fields.some(({ computed }) => computed !== undefined);

/** Undefined without any value; of a translation, without any in its locale. */
function render(field: Field, template: string, values: Values): string | undefined {
  let hasValue = false;
  const text = template.replace(PLACEHOLDER, (_, path: string) => {
    const { value, isOwn } = valueAt(values, path.trim(), field.locale);
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

/** Checks that templates name fields with plain values, and tell nobody what is private. */
export function checkComputed(fields: readonly Field[], fault: AddFault): void {
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const [i, field] of fields.entries()) {
    if (field.computed === undefined || !isActive(field)) continue;
    const at = `/fields/${i}/computed`;
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
          `"{${path}}" is no active field of the collection, or of a group that is not repeated.`,
        );
      } else if (
        !isPlain ||
        ['json', 'point'].includes(source.format ?? '') ||
        ('computed' in source && source.computed)
      ) {
        fault(at, 'computed_invalid', `"{${path}}" has no plain text or number, or is computed itself.`);
      } else if ((owner.private || source.private) && !field.private) {
        fault(at, 'computed_private', `"{${path}}" is private, so the computed field must be private as well.`);
      }
    }
  }
}
