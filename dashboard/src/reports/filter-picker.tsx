import { Select, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { t } from '../languages/translate.ts';
import { FilterPopover } from '../shared/filter-popover.tsx';
import { DIMENSION_LABELS, valueLabel } from './dimension-labels.ts';
import { DIMENSIONS, type Dimension, type Filter, type Operator, type Span } from './overview-state.ts';
import { useReports } from './report-source.ts';

const OPERATOR_OPTIONS: { value: Operator; label: string }[] = [
  { value: 'is', label: t('is') },
  { value: 'isNot', label: t('is not') },
  { value: 'contains', label: t('contains') },
  { value: 'containsNot', label: t('does not contain') },
];
const DIMENSION_OPTIONS = DIMENSIONS.map((value) => ({ value, label: DIMENSION_LABELS[value] })).sort((a, b) =>
  a.label.localeCompare(b.label),
);

interface FilterPickerProps {
  /** The period from which values are suggested. */
  range: Pick<Span, 'from' | 'to' | 'timeZone'>;
  onAdd: (filter: Filter) => void;
}

/** Adds a filter: a dimension, an operator and one or several values. */
export function FilterPicker({ range, onAdd }: FilterPickerProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [dimension, setDimension] = useState<Dimension>('source');
  const [operator, setOperator] = useState<Operator>('is');
  const [values, setValues] = useState<string[]>([]);
  const [search, setSearch] = useState('');
  const isText = operator === 'contains' || operator === 'containsNot';
  const options = useSuggestions(dimension, search, range, wasOpened && !isText);
  const submit = () => {
    const texts = [...values, ...(search.trim() === '' ? [] : [search.trim()])];
    // A label selects its value.
    const toValue = (text: string) => options.find(({ label }) => label === text)?.value ?? text;
    onAdd({ dimension, operator, values: isText ? texts : texts.map(toValue) });
    setValues([]);
    setSearch('');
  };
  return (
    <FilterPopover
      width={320}
      isComplete={values.length > 0 || search.trim() !== ''}
      onSubmit={submit}
      onOpen={() => setWasOpened(true)}
    >
      {() => (
        <>
          <Select
            label={t('Field')}
            data={DIMENSION_OPTIONS}
            value={dimension}
            onChange={(next) => {
              setDimension((next as Dimension | null) ?? 'source');
              setValues([]);
              setSearch('');
            }}
            allowDeselect={false}
            searchable
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          <Select
            label={t('Operator')}
            data={OPERATOR_OPTIONS}
            value={operator}
            onChange={(next) => setOperator((next as Operator | null) ?? 'is')}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
          <TagsInput
            label={t('Values')}
            description={t('Matches any of the values')}
            // Parts of values have no suggestions, which would cover the button.
            data={isText ? [] : options.map(({ label }) => label)}
            value={values}
            onChange={setValues}
            searchValue={search}
            onSearchChange={setSearch}
            comboboxProps={{ withinPortal: false }}
          />
        </>
      )}
    </FilterPopover>
  );
}

/** The most common values of a dimension that contain what is typed. */
function useSuggestions(dimension: Dimension, search: string, range: FilterPickerProps['range'], isEnabled: boolean) {
  const [text] = useDebouncedValue(search.trim(), 250);
  const { from, to, timeZone } = range;
  const reports = useReports();
  const { data } = useQuery({
    queryKey: ['filter values', dimension, text, from, to, timeZone],
    enabled: isEnabled,
    staleTime: MINUTE,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      reports.getBreakdown(
        {
          ...{ from, to, timeZone, by: dimension, order: 'visits', limit: 30 },
          ...(text !== '' && { [`filter[${dimension}][contains]`]: [text] }),
        },
        { signal },
      ),
  });
  const rows = data?.breakdowns[dimension]?.rows ?? [];
  return rows.map(({ value }) => ({ value: value ?? '', label: valueLabel(dimension, value) }));
}
