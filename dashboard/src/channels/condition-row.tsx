import { ActionIcon, Group, MultiSelect, Select, TagsInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { CLICK_ID_LABELS } from '../shared/click-ids.ts';
import { Icon } from '../shared/icons.tsx';
import type { EditedCondition, Field, Operator } from './edited-rules.ts';

const FIELDS: Record<Field, string> = {
  source: t('Source'),
  medium: t('Medium'),
  campaign: t('Campaign'),
  term: t('UTM term'),
  content: t('UTM content'),
  referrerHost: t('Referrer domain'),
  landingPath: t('Landing path'),
  platform: t('Click ID'),
};

const OPERATORS: Record<Operator, string> = {
  is: t('is'),
  isNot: t('is not'),
  contains: t('contains'),
  containsNot: t('does not contain'),
  startsWith: t('starts with'),
  matches: t('matches (* is any text)'),
};
const WHOLE: Operator[] = ['is', 'isNot'];

/** Stands for null among the values. */
const NONE = t('(no value)');

const optionsOf = (labels: Record<string, string>, only?: readonly string[]) =>
  Object.entries(labels)
    .filter(([value]) => only?.includes(value) ?? true)
    .map(([value, label]) => ({ value, label }));

interface ConditionRowProps {
  condition: EditedCondition;
  /** For screen readers. */
  name: string;
  error: string | undefined;
  onChange: (condition: EditedCondition) => void;
  onRemove: (() => void) | undefined;
}

/** The field, the operator and the values of a condition. */
export function ConditionRow({ condition, name, error, onChange, onRemove }: ConditionRowProps) {
  const { field, operator, values } = condition;
  const isPlatform = field === 'platform';
  const isWhole = WHOLE.includes(operator);
  const texts = values.map((value) => value ?? NONE);
  const setValues = (next: string[]) =>
    onChange({ ...condition, values: next.map((value) => (value === NONE ? null : value)) });
  const common = { 'aria-label': t('Value'), value: texts, onChange: setValues, error, miw: 0, flex: 2, size: 'xs' };
  return (
    <Group gap="xs" className="filter-row" role="group" aria-label={name} align="flex-start">
      <Select
        aria-label={t('Field')}
        size="xs"
        data={optionsOf(FIELDS)}
        value={field}
        allowDeselect={false}
        onChange={(next) => {
          if (next === null || next === field) return;
          const isOther = next === 'platform' || isPlatform;
          onChange({ ...condition, field: next as Field, ...(isOther && { operator: 'is', values: [] }) });
        }}
      />
      <Select
        aria-label={t('Condition')}
        size="xs"
        data={optionsOf(OPERATORS, isPlatform ? WHOLE : undefined)}
        value={operator}
        allowDeselect={false}
        onChange={(next) => {
          if (next === null) return;
          const kept = WHOLE.includes(next as Operator) ? values : values.filter((value) => value !== null);
          onChange({ ...condition, operator: next as Operator, values: kept });
        }}
      />
      {isPlatform ? (
        <MultiSelect {...common} data={[...optionsOf(CLICK_ID_LABELS), { value: NONE, label: NONE }]} />
      ) : (
        <TagsInput
          {...common}
          data={isWhole ? [NONE] : []}
          placeholder={values.length === 0 ? t('Enter a value') : ''}
          acceptValueOnBlur
        />
      )}
      {onRemove && (
        <ActionIcon aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          <Icon name="close" size={15} />
        </ActionIcon>
      )}
    </Group>
  );
}
