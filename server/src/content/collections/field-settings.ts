import type { FieldChange } from '../contract.ts';
import { checkDefaultValue } from '../entries/check-values.ts';
import { isMadeFor, madeValueOf } from '../entries/made-values.ts';
import { typeOf } from '../field-types/index.ts';
import { ITEM_RULES, type Validation } from '../field-types/validation.ts';
import type { Field, NestedField } from './field.ts';

type AddFault = (pointer: string, code: string, detail: string) => void;
export type FieldSettings = Pick<
  Field,
  'helpText' | 'validation' | 'defaultValue' | 'unique' | 'private' | 'localized' | 'visibleWhen' | 'section'
>;

/** The optional settings of a field after a request, in which null removes one. Bounds are stored as values are. */
export function mergeSettings(
  field: NestedField,
  known: FieldSettings | undefined,
  { helpText = known?.helpText, validation = known ? known.validation : defaultRules(field), ...sent }: FieldChange,
  isNested: boolean,
  at: string,
  fault: AddFault,
): FieldSettings {
  const settings: FieldSettings = {};
  if (helpText != null && helpText.trim() !== '') settings.helpText = helpText;
  const rules =
    validation === known?.validation ? validation : checkRules(field, validation, `${at}/validation`, fault);
  if (rules && Object.keys(rules).length > 0) settings.validation = rules;
  if (sent.private ?? known?.private) settings.private = true;
  const visibleWhen = sent.visibleWhen === undefined ? known?.visibleWhen : sent.visibleWhen;
  if (visibleWhen != null) settings.visibleWhen = visibleWhen;
  if (!isNested) {
    if (sent.localized ?? known?.localized) settings.localized = true;
    const section = (sent.section === undefined ? known?.section : sent.section)?.trim();
    if (section) settings.section = section;
    if (field.format === 'slug' || (sent.unique ?? known?.unique)) settings.unique = true;
    if (sent.unique && (field.repeated || !typeOf(field).isImportKey)) {
      const detail = `Only a text, number, date, timestamp, URL or select that is not repeated can be unique.`;
      fault(`${at}/unique`, 'unique_not_allowed', detail);
    }
  }
  const { defaultValue = known?.defaultValue } = sent;
  if (defaultValue == null || defaultValue === '') return settings;
  if (sent.defaultValue === undefined) return { ...settings, defaultValue };
  const pointer = `${at}/defaultValue`;
  const { structure } = typeOf(field);
  const made = madeValueOf(defaultValue);
  if (made !== undefined && field.format !== 'json') {
    if (isMadeFor(made, field)) return { ...settings, defaultValue: { [made]: true } };
    const detail = `A field of type "${field.format ?? field.type}"${field.repeated ? ' that is repeated' : ''} cannot have the default value ${made}.`;
    fault(pointer, 'default_value_not_allowed', detail);
    return settings;
  }
  if (structure === 'fields' && !field.repeated && isEmptyObject(defaultValue))
    return { ...settings, defaultValue: {} };
  if (!['plain', 'options'].includes(structure)) {
    const detail = `A field of type "${field.format ?? field.type}" cannot have a default value${structure === 'fields' && !field.repeated ? ' other than {}, for the defaults of its fields' : ''}.`;
    fault(pointer, 'default_value_not_allowed', detail);
    return settings;
  }
  const checked = checkDefaultValue({ ...field, ...settings, defaultValue }, pointer);
  for (const each of checked.faults) fault(each.pointer, each.code, each.detail);
  return checked.value === undefined ? settings : { ...settings, defaultValue: checked.value };
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** An empty text is a value, but not one that a required field is made for. */
const defaultRules = (field: NestedField): Validation | undefined =>
  field.required && typeOf(field).acceptsEmptyText ? { minLength: 1 } : undefined;

function checkRules(
  field: NestedField,
  sent: Validation | null | undefined,
  at: string,
  fault: AddFault,
): Validation | undefined {
  if (sent == null) return undefined;
  const { validation, sortKey } = typeOf(field);
  const allowed: readonly string[] = field.repeated ? [...validation, ...ITEM_RULES] : validation;
  const rules = { ...sent };
  for (const rule of Object.keys(sent) as (keyof Validation)[]) {
    if (allowed.includes(rule)) continue;
    fault(
      `${at}/${rule}`,
      'rule_not_allowed',
      `A field of type "${field.format ?? field.type}"${field.repeated ? '' : ' that is not repeated'} cannot have the rule ${rule}.`,
    );
    // Values cannot be compared with it.
    delete rules[rule];
  }
  for (const bound of ['min', 'max'] as const) {
    if (rules[bound] === undefined) continue;
    const value = checkDefaultValue({ ...field, repeated: false, defaultValue: rules[bound] }, `${at}/${bound}`);
    for (const each of value.faults) fault(each.pointer, each.code, each.detail);
    if (value.value === undefined) delete rules[bound];
    else rules[bound] = value.value as number | string;
  }
  const { min, max, minLength, maxLength, minItems, maxItems } = rules;
  if (min !== undefined && max !== undefined && sortKey(min) > sortKey(max)) {
    fault(`${at}/max`, 'range_invalid', 'The maximum must not be less than the minimum.');
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    fault(`${at}/maxLength`, 'range_invalid', 'The maximum length must not be less than the minimum length.');
  }
  if (minItems !== undefined && maxItems !== undefined && minItems > maxItems) {
    fault(`${at}/maxItems`, 'range_invalid', 'The maximum number must not be less than the minimum number.');
  }
  return rules;
}
