import { Button, Group, Input, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Operator } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { lazy } from '../shared/lazy.tsx';
import { describeGroup } from './entry-filters.tsx';
import { type FilterPath, operatorsAt } from './filter-paths.ts';
import { type FilterGroup, fromWhere, NO_FILTERS, toWhere, type Where } from './filter-tree.ts';
import { apiIdOf, draftAsField } from './schema-draft.ts';

const FilterBuilder = lazy(() => import('./filter-builder.tsx'));

/** Those that such a condition can have. */
const OPERATORS: readonly Operator[] = ['eq', 'ne', 'contains', 'lt', 'lte', 'gt', 'gte', 'exists'];

interface FieldConditionProps {
  field: DraftField;
  /** All fields of its list. */
  siblings: readonly DraftField[];
  onChange: (where: Where | undefined) => void;
  error: string | undefined;
}

/** When a field is shown: a condition on the fields beside it. */
export function FieldCondition({ field, siblings, onChange, error }: FieldConditionProps) {
  const [isEditing, setIsEditing] = useState(false);
  const paths: FilterPath[] = siblings
    .filter((each) => isActive(each) && each.key !== field.key && apiIdOf(each) !== '')
    .map((each) => ({ path: apiIdOf(each), label: each.label, field: draftAsField(each), operators: OPERATORS }))
    .filter((path) => operatorsAt(path).length > 0);
  const { visibleWhen } = field;
  const filters = visibleWhen && readCondition(visibleWhen);
  if (paths.length === 0 && !visibleWhen) return null;
  return (
    <Input.Wrapper
      label={t('Shown when')}
      labelElement="div"
      description={t('A condition on the fields beside it. Hidden, it is neither required nor checked.')}
      error={error}
    >
      <Group gap="xs" mt={4}>
        <Text size="sm" c={visibleWhen ? undefined : 'dimmed'}>
          {!visibleWhen ? t('Always') : filters ? describeGroup(filters, paths) : JSON.stringify(visibleWhen)}
        </Text>
        {(!visibleWhen || filters) && (
          <Button variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
            {visibleWhen ? t('Edit condition') : t('Add condition')}
          </Button>
        )}
        {visibleWhen && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(undefined)}>
            {t('Remove condition')}
          </Button>
        )}
      </Group>
      {isEditing && (
        <Suspense>
          <FilterBuilder
            title={t('Shown when')}
            paths={paths}
            filters={filters ?? NO_FILTERS}
            onApply={(next) => onChange(toWhere(next))}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}

/** undefined for what the builder cannot show. */
const readCondition = (where: Where): FilterGroup | undefined =>
  fromWhere(where) ?? fromWhere({ and: Object.entries(where).map(([path, condition]) => ({ [path]: condition })) });
