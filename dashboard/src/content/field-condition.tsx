import { Input } from '@mantine/core';
import type { Operator } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { type FilterPath, operatorsAt } from './filter-paths.ts';
import type { Where } from './filter-tree.ts';
import { apiIdOf, draftAsField } from './schema-draft.ts';

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
  const paths: FilterPath[] = siblings
    .filter((each) => isActive(each) && each.key !== field.key && apiIdOf(each) !== '')
    .map((each) => ({ path: apiIdOf(each), label: each.label, field: draftAsField(each), operators: OPERATORS }))
    .filter((path) => operatorsAt(path).length > 0);
  const { visibleWhen } = field;
  if (paths.length === 0 && !visibleWhen) return null;
  return (
    <Input.Wrapper
      label={t('Shown when')}
      labelElement="div"
      description={t('A condition on the fields beside it. Hidden, it is neither required nor checked.')}
      error={error}
    >
      <ConditionEditor
        title={t('Shown when')}
        paths={paths}
        where={visibleWhen}
        onChange={onChange}
        none={t('Always')}
      />
    </Input.Wrapper>
  );
}
