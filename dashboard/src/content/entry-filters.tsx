import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatFilterValue, operatorsOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { FilterChip } from '../shared/filter-chip.tsx';
import { FilterPopover } from '../shared/filter-popover.tsx';
import { ConditionInputs, completed, type PartialCondition } from './condition-inputs.tsx';
import type { FilterPath } from './filter-paths.ts';
import { type FilterGroup, type FilterItem, isGroup } from './filter-tree.ts';

interface EntryFiltersProps {
  paths: readonly FilterPath[];
  filters: FilterGroup;
  onChange: (filters: FilterGroup) => void;
}

/** The button that adds a condition to all others. */
export function AddFilter({ paths, filters, onChange, onEdit }: EntryFiltersProps & { onEdit: () => void }) {
  const [condition, setCondition] = useState<PartialCondition>();
  const added = condition && completed(condition);
  const submit = () => {
    if (!added) return;
    onChange(
      filters.match === 'all'
        ? { match: 'all', items: [...filters.items, added] }
        : { match: 'all', items: [...(filters.items.length > 0 ? [filters] : []), added] },
    );
    setCondition(undefined);
  };
  return (
    <FilterPopover disabled={paths.length === 0} isComplete={added !== undefined} onSubmit={submit}>
      {(close) => (
        <>
          <ConditionInputs paths={paths} value={condition} onChange={setCondition} />
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => {
              close();
              onEdit();
            }}
          >
            {t('Combine with and, or')}
          </Button>
        </>
      )}
    </FilterPopover>
  );
}

/** The filters of a table, each with a button that removes it. */
export function FilterChips({ paths, filters, onChange }: EntryFiltersProps) {
  const { match, items } = filters;
  if (items.length === 0) return null;
  if (match !== 'all') {
    return <FilterChip text={describeGroup(filters, paths)} onRemove={() => onChange({ match: 'all', items: [] })} />;
  }
  return items.map((item, i) => (
    <FilterChip
      // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may occur twice
      key={i}
      text={describe(item, paths)}
      onRemove={() => onChange({ match, items: items.filter((_, at) => at !== i) })}
    />
  ));
}

const JOINERS = { all: ` ${t('and')} `, any: ` ${t('or')} `, none: ` ${t('or')} ` };

/** Conditions as one line of text. */
export function describeGroup({ match, items }: FilterGroup, paths: readonly FilterPath[]): string {
  const text = items
    .map((item) => (isGroup(item) && item.items.length > 1 ? `(${describe(item, paths)})` : describe(item, paths)))
    .join(JOINERS[match]);
  return match === 'none' ? t('not ({text})', { text }) : text;
}

function describe(item: FilterItem, paths: readonly FilterPath[]): string {
  if (isGroup(item)) return describeGroup(item, paths);
  const { path, operator, value, isCurrentUser } = item;
  const found = paths.find((each) => each.path === path);
  if (!found) return `${path} ${operator} ${value}`;
  if (operator === 'exists') {
    const { label } = found;
    return value === 'true' ? t('{label} has a value', { label }) : t('{label} has no value', { label });
  }
  const label = operatorsOf(found.field).find((each) => each.value === operator)?.label ?? operator;
  return `${found.label} ${label} ${isCurrentUser ? t('the current user') : formatFilterValue(found.field, value)}`;
}
