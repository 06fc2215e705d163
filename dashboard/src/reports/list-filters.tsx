import { Autocomplete, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { PLATFORM_LABELS } from '../shared/click-ids.ts';
import { DateRangeButton, formatRange } from '../shared/date-range-button.tsx';
import { addDays, today } from '../shared/days.ts';
import { FilterChip } from '../shared/filter-chip.tsx';
import { FilterPopover } from '../shared/filter-popover.tsx';
import type { ListState } from '../shared/list-state.ts';
import { SearchBox } from '../shared/search-box.tsx';
import { DIMENSION_LABELS, valueLabel } from './dimension-labels.ts';
import type { Dimension } from './overview-state.ts';

/** A filter of a list: a dimension of the reports, or one with its own options. */
export type ListFilter = Dimension | { name: string; label: string; options: { value: string; label: string }[] };

interface ListFiltersProps {
  /** The search box. */
  label: string;
  placeholder: string;
  filters: ListFilter[];
  state: ListState;
  onChange: (part: ListState) => void;
}

const nameOf = (filter: ListFilter) => (typeof filter === 'string' ? filter : filter.name);
const labelOf = (filter: ListFilter) => (typeof filter === 'string' ? DIMENSION_LABELS[filter] : filter.label);

export function textOf(filter: ListFilter, value: string): string {
  if (typeof filter === 'string') return valueLabel(filter, value);
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

/** The search, date range and filters of a list. */
export function ListFilters({ label, placeholder, filters, state, onChange }: ListFiltersProps) {
  const { from, to } = state;
  return (
    <Group gap="sm">
      <SearchBox value={state.q} onSearch={(q) => onChange({ q })} label={label} placeholder={placeholder} />
      <DateRangeButton from={from} to={to} label={t('All time')} onChange={onChange} />
      {filters.length > 0 && <AddFilter filters={filters} onAdd={(name, value) => onChange({ [name]: value })} />}
      {from && to && (
        <FilterChip text={formatRange({ from, to })} onRemove={() => onChange({ from: undefined, to: undefined })} />
      )}
      {filters.map((filter) => {
        const value = state[nameOf(filter)];
        return (
          value && (
            <FilterChip
              key={nameOf(filter)}
              text={`${labelOf(filter)}: ${textOf(filter, value)}`}
              onRemove={() => onChange({ [nameOf(filter)]: undefined })}
            />
          )
        );
      })}
    </Group>
  );
}

/** Adds one value of one filter. */
export function AddFilter({ filters, onAdd }: { filters: ListFilter[]; onAdd: (name: string, value: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const filter = filters.find((each) => nameOf(each) === name);
  const options = useOptions(filter);
  const add = (text: string) => {
    // A typed label selects its option.
    const chosen = options.find(({ label }) => label === text)?.value ?? text.trim();
    if (!filter || chosen === '') return;
    onAdd(nameOf(filter), chosen);
    setName(null);
    setValue('');
  };
  return (
    <FilterPopover isComplete={value.trim() !== ''} onSubmit={() => add(value)}>
      {(close) => (
        <>
          <Select
            label={t('Field')}
            data={filters.map((each) => ({ value: nameOf(each), label: labelOf(each) }))}
            value={name}
            onChange={(next) => {
              setName(next);
              setValue('');
            }}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          {filter && (
            <Autocomplete
              key={nameOf(filter)}
              label={t('Value')}
              data={options.map(({ label }) => label)}
              value={value}
              onChange={setValue}
              onOptionSubmit={(label) => {
                add(label);
                close();
              }}
              comboboxProps={{ withinPortal: false }}
            />
          )}
        </>
      )}
    </FilterPopover>
  );
}

/** The options of a filter: for a dimension, its most common values of the last year. */
function useOptions(filter: ListFilter | undefined): { value: string; label: string }[] {
  const dimension = typeof filter === 'string' && filter !== 'platform' ? filter : undefined;
  const { data } = useQuery({
    queryKey: ['filter-values', dimension],
    enabled: dimension !== undefined,
    staleTime: 300_000,
    queryFn: ({ signal }) =>
      headwater.getBreakdown(
        {
          by: dimension ?? 'source',
          order: 'visits',
          limit: 50,
          from: addDays(today(), -365),
          to: addDays(today(), 1),
        },
        { signal },
      ),
  });
  if (filter === 'platform') return Object.entries(PLATFORM_LABELS).map(([value, label]) => ({ value, label }));
  if (typeof filter === 'object') return filter.options;
  return (data?.breakdowns[dimension ?? 'source']?.rows ?? []).flatMap(({ value }) =>
    value && dimension ? [{ value, label: valueLabel(dimension, value) }] : [],
  );
}
