import { Group, Input } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { DIMENSION_LABELS } from '../reports/dimension-labels.ts';
import { AddFilter, textOf } from '../reports/list-filters.tsx';
import { FilterChip } from '../shared/filter-chip.tsx';
import type { FormValues } from './form-values.ts';
import type { Segment } from './queries.ts';

const COLUMNS: readonly Segment[] = ['source', 'medium', 'campaign', 'device', 'browser', 'os', 'country', 'region'];

interface AudienceProps {
  audience: FormValues['audience'];
  onChange: (audience: FormValues['audience']) => void;
}

const audienceText = (column: Segment, value: string) => `${DIMENSION_LABELS[column]}: ${textOf(column, value)}`;

/** The audience in words; null: everybody. */
export const audienceOf = (audience: FormValues['audience'] | undefined) =>
  COLUMNS.flatMap((column) => (audience?.[column] ?? []).map((value) => audienceText(column, value))).join(' · ') ||
  null;

/** Whose sessions count. Several values of one column are alternatives. */
export function Audience({ audience, onChange }: AudienceProps) {
  const set = (column: Segment, values: string[]) => {
    const { [column]: _, ...rest } = audience;
    onChange(values.length === 0 ? rest : { ...rest, [column]: values });
  };
  const add = (column: Segment, value: string) => set(column, [...new Set([...(audience[column] ?? []), value])]);
  return (
    <Input.Wrapper label={t('Audience')} description={t('Without a filter, every visitor takes part')}>
      <Group gap="sm" mt="xs">
        {COLUMNS.flatMap((column) =>
          (audience[column] ?? []).map((value) => (
            <FilterChip
              key={`${column} ${value}`}
              text={audienceText(column, value)}
              onRemove={() =>
                set(
                  column,
                  (audience[column] ?? []).filter((each) => each !== value),
                )
              }
            />
          )),
        )}
        <AddFilter filters={[...COLUMNS]} onAdd={(column, value) => add(column as Segment, value)} />
      </Group>
    </Input.Wrapper>
  );
}
