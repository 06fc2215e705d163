import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { cachedTitle } from '../../content/entry-titles.ts';
import { t } from '../../languages/translate.ts';
import { lazy } from '../../shared/lazy.tsx';
import { defineFieldType, type FieldInputProps } from '../definition.ts';

const ReferenceInput = lazy(() => import('../../content/reference-input.tsx'));
const ReferenceCell = lazy(() => import('../../content/reference-cell.tsx'));
const ReferenceSettings = lazy(() => import('../../content/reference-settings.tsx'));

export const reference = defineFieldType<string>({
  label: t('Reference'),
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  hasDefault: false,
  Input: (props: FieldInputProps<string>) => (
    <Suspense fallback={<Skeleton height={36} />}>
      <ReferenceInput {...props} />
    </Suspense>
  ),
  format: (id) => cachedTitle(id),
  Cell: ({ values }) => (
    <Suspense>
      <ReferenceCell ids={values} />
    </Suspense>
  ),
  filter: { operators: ['eq', 'ne', 'exists'] },
  csv: { canMatch: false, formats: [] },
  settings: {
    Editor: (props) => (
      <Suspense>
        <ReferenceSettings {...props} />
      </Suspense>
    ),
    toRequest: ({ collectionIds, onDelete, isNew }) => ({
      collectionIds,
      ...((!isNew || onDelete === 'refuse') && { onDelete }),
    }),
  },
});
