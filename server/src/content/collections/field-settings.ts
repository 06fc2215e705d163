import type { FieldChange } from '../contract.ts';
import { checkDefaultValue } from '../entries/check-values.ts';
import { typeOf } from '../field-types/index.ts';
import { compilePattern, type Validation } from '../field-types/validation.ts';
import type { Field } from './collection.ts';

type AddFault = (pointer: string, code: string, detail: string) => void;
export type FieldSettings = Pick<
  Field,
  'helpText' | 'validation' | 'defaultValue' | 'unique' | 'private' | 'localized'
>;

/** The optional settings of a field after a request, in which null removes one. Bounds are stored as values are. */
export function mergeSettings(
  field: Field,
  known: FieldSettings | undefined,
  { helpText = known?.helpText, validation = known?.validation, ...sent }: FieldChange,
  at: string,
  fault: AddFault,
): FieldSettings {
  const settings: FieldSettings = {};
  if (helpText != null && helpText.trim() !== '') settings.helpText = helpText;
  const rules =
    validation === known?.validation ? validation : checkRules(field, validation, `${at}/validation`, fault);
  if (rules && Object.keys(rules).length > 0) settings.validation = rules;
  if (sent.private ?? known?.private) settings.private = true;
  if (sent.localized ?? known?.localized) settings.localized = true;
  if (field.format === 'slug' || (sent.unique ?? known?.unique)) settings.unique = true;
  if (sent.unique && (field.repeated || !typeOf(field).isImportKey)) {
    const detail = `Only a text, number, date, timestamp, URL or select that is not repeated can be unique.`;
    fault(`${at}/unique`, 'unique_not_allowed', detail);
  }
  const { defaultValue = known?.defaultValue } = sent;
  if (defaultValue == null || defaultValue === '') return settings;
  if (sent.defaultValue === undefined) return { ...settings, defaultValue };
  const pointer = `${at}/defaultValue`;
  if (!['plain', 'options'].includes(typeOf(field).structure)) {
    fault(
      pointer,
      'default_value_not_allowed',
      `A field of type "${field.format ?? field.type}" cannot have a default value.`,
    );
    return settings;
  }
  const checked = checkDefaultValue({ ...field, ...settings, defaultValue }, pointer);
  for (const each of checked.faults) fault(each.pointer, each.code, each.detail);
  return checked.value === undefined ? settings : { ...settings, defaultValue: checked.value };
}

function checkRules(
  field: Field,
  sent: Validation | null | undefined,
  at: string,
  fault: AddFault,
): Validation | undefined {
  if (sent == null) return undefined;
  const { validation: allowed, sortKey } = typeOf(field);
  const rules = { ...sent };
  for (const rule of Object.keys(sent) as (keyof Validation)[]) {
    if (allowed.includes(rule)) continue;
    fault(
      `${at}/${rule}`,
      'rule_not_allowed',
      `A field of type "${field.format ?? field.type}" cannot have the rule ${rule}.`,
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
  const { min, max, minLength, maxLength, pattern } = rules;
  if (min !== undefined && max !== undefined && sortKey(min) > sortKey(max)) {
    fault(`${at}/max`, 'range_invalid', 'The maximum must not be less than the minimum.');
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    fault(`${at}/maxLength`, 'range_invalid', 'The maximum length must not be less than the minimum length.');
  }
  if (pattern !== undefined && !compilePattern(pattern)) {
    const detail =
      'The pattern must be a regular expression without backreferences and lookarounds, and not too large.';
    fault(`${at}/pattern`, 'pattern_invalid', detail);
  }
  return rules;
}
