import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { formatFilterValue } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { FilterChip } from '../shared/filter-chip.tsx';
import { FilterPopover } from '../shared/filter-popover.tsx';
import { ConditionInputs, completed, type PartialCondition } from './condition-inputs.tsx';
import { type FilterPath, operatorsAt, PUBLISHING_STATE } from './filter-paths.ts';
import { type Condition, type FilterGroup, type FilterItem, isGroup } from './filter-tree.ts';

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

/** A condition that the choice of a status makes. */
const isStatus = (item: FilterItem): item is Condition =>
  !isGroup(item) && item.path === PUBLISHING_STATE && item.operator === 'eq';

/** What is published of the entries of a table, which all other conditions are added to. */
export function StatusFilter({ paths, filters, onChange }: EntryFiltersProps) {
  const found = paths.find(({ path }) => path === PUBLISHING_STATE);
  if (!found) return null;
  const items = filters.match === 'all' ? filters.items : [filters];
  const chosen = items.find(isStatus);
  const set = (value: string | null) => {
    const others = items.filter((item) => item !== chosen);
    const next: FilterItem[] = value === null ? [] : [{ path: PUBLISHING_STATE, operator: 'eq', value }];
    const [only] = others;
    if (next.length === 0 && others.length === 1 && only && isGroup(only)) onChange(only);
    else onChange({ match: 'all', items: [...next, ...others] });
  };
  return (
    <Select
      aria-label={t('Status')}
      placeholder={t('Any status')}
      data={(found.field.options ?? []).map(({ value, label }) => ({ value, label }))}
      value={chosen?.value ?? null}
      onChange={set}
      clearable
      w={190}
    />
  );
}

/** The filters of a table, each with a button that removes it, but for the chosen status. */
export function FilterChips({ paths, filters, onChange }: EntryFiltersProps) {
  const { match, items } = filters;
  if (items.length === 0) return null;
  if (match !== 'all') {
    return <FilterChip text={describeGroup(filters, paths)} onRemove={() => onChange({ match: 'all', items: [] })} />;
  }
  const shown = items.find((item) => isStatus(item) && paths.some(({ path }) => path === PUBLISHING_STATE));
  return items.map(
    (item, i) =>
      item !== shown && (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may occur twice
          key={i}
          text={describe(item, paths)}
          onRemove={() => onChange({ match, items: items.filter((_, at) => at !== i) })}
        />
      ),
  );
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
  const label = operatorsAt(found).find((each) => each.value === operator)?.label ?? operator;
  return `${found.label} ${label} ${isCurrentUser ? t('the current user') : formatFilterValue(found.field, value)}`;
}
