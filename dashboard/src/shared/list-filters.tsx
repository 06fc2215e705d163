import { Autocomplete, Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { lazy, Suspense, useState } from 'react';
import { DIMENSION_LABELS, labelOfValue, PLATFORM_LABELS } from '../overview/dimension-labels.ts';
import type { Dimension } from '../overview/overview-state.ts';
import { headwater } from '../service/session.ts';
import { Chip } from './chip.tsx';
import { FilterPopover } from './filter-popover.tsx';
import { formatDay } from './formats.ts';
import { Icon } from './icons.tsx';
import type { ListState } from './list-state.ts';

const DaysWindow = lazy(() => import('./days-window.tsx'));

/** What a list can be narrowed by: dimensions of the reports, whose values are known, or a choice of its own. */
export type ListFilter = Dimension | { name: string; label: string; options: { value: string; label: string }[] };

interface ListFiltersProps {
  filters: ListFilter[];
  state: ListState;
  onChange: (part: ListState) => void;
}

const nameOf = (filter: ListFilter) => (typeof filter === 'string' ? filter : filter.name);
const labelOf = (filter: ListFilter) => (typeof filter === 'string' ? DIMENSION_LABELS[filter] : filter.label);

function textOf(filter: ListFilter, value: string): string {
  if (typeof filter === 'string') return labelOfValue(filter, value);
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

/** The days of a list, and what else it is narrowed to. */
export function ListFilters({ filters, state, onChange }: ListFiltersProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { from, to } = state;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="clock" size={16} />} onClick={() => setIsChoosing(true)}>
        {from && to ? 'Other days' : 'Any day'}
      </Button>
      {filters.length > 0 && <AddFilter filters={filters} onAdd={(name, value) => onChange({ [name]: value })} />}
      {from && to && (
        <Chip
          text={from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`}
          onRemove={() => onChange({ from: undefined, to: undefined })}
        />
      )}
      {filters.map((filter) => {
        const value = state[nameOf(filter)];
        return (
          value && (
            <Chip
              key={nameOf(filter)}
              text={`${labelOf(filter)}: ${textOf(filter, value)}`}
              onRemove={() => onChange({ [nameOf(filter)]: undefined })}
            />
          )
        );
      })}
      <Suspense>
        {isChoosing && (
          <DaysWindow
            from={from}
            to={to}
            onClose={() => setIsChoosing(false)}
            onChoose={(first, last) => {
              onChange({ from: first, to: last });
              setIsChoosing(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function AddFilter({ filters, onAdd }: { filters: ListFilter[]; onAdd: (name: string, value: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const filter = filters.find((each) => nameOf(each) === name);
  const options = useOptions(filter);
  const add = (text: string) => {
    // What is written as a suggestion reads is meant as that.
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
            label="By"
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
              label="Value"
              data={options.map(({ label }) => label)}
              value={value}
              onChange={setValue}
              onOptionSubmit={(label) => {
                add(label);
                close();
              }}
              comboboxProps={{ withinPortal: false }}
              maxDropdownHeight={240}
            />
          )}
        </>
      )}
    </FilterPopover>
  );
}

/** What there is to choose from: of a dimension, its commonest values in the last year. */
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
          from: dayjs().subtract(365, 'day').format('YYYY-MM-DD'),
          to: dayjs().add(1, 'day').format('YYYY-MM-DD'),
        },
        { signal },
      ),
  });
  if (filter === 'platform') return Object.entries(PLATFORM_LABELS).map(([value, label]) => ({ value, label }));
  if (typeof filter === 'object') return filter.options;
  return (data?.breakdowns[dimension ?? 'source']?.rows ?? []).flatMap(({ value }) =>
    value && dimension ? [{ value, label: labelOfValue(dimension, value) }] : [],
  );
}
