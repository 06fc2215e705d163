import { Button, Code, Group, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { lazy } from '../shared/lazy.tsx';
import { describeGroup } from './entry-filters.tsx';
import type { FilterPath } from './filter-paths.ts';
import { type FilterGroup, fromWhere, NO_FILTERS, toWhere, type Where } from './filter-tree.ts';

const FilterBuilder = lazy(() => import('./filter-builder.tsx'));

interface ConditionEditorProps {
  /** Of the dialog that makes it. */
  title: string;
  paths: FilterPath[];
  where: Where | undefined;
  onChange: (where: Where | undefined) => void;
  /** What holds without one. */
  none: string;
}

/** A condition in words, and its dialog, which is that of the filters of a table. One that the dialog cannot show can only be removed. */
export function ConditionEditor({ title, paths, where, onChange, none }: ConditionEditorProps) {
  const [isEditing, setIsEditing] = useState(false);
  const filters = where ? readCondition(where) : NO_FILTERS;
  return (
    <Group gap="xs" mt={4}>
      {filters === undefined ? (
        <Code block maw="100%">
          {JSON.stringify(where)}
        </Code>
      ) : (
        <Text size="sm" c={where ? undefined : 'dimmed'}>
          {where ? describeGroup(filters, paths) : none}
        </Text>
      )}
      {filters && (
        <Button variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
          {where ? t('Edit condition') : t('Add condition')}
        </Button>
      )}
      {where && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(undefined)}>
          {t('Remove condition')}
        </Button>
      )}
      {isEditing && filters && (
        <Suspense>
          <FilterBuilder
            title={title}
            paths={paths}
            filters={filters}
            onApply={(next) => onChange(toWhere(next))}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </Group>
  );
}

/** undefined for what the dialog cannot show. Several members of one object are conditions that all hold. */
const readCondition = (where: Where): FilterGroup | undefined =>
  fromWhere(where) ?? fromWhere({ and: Object.entries(where).map(([path, condition]) => ({ [path]: condition })) });
