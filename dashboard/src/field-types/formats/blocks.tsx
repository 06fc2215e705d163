import { Suspense } from 'react';
import { BlockList } from '../../content/block-list.tsx';
import { blocksOf, type Row } from '../../content/rows.ts';
import { apiIdOfBlock } from '../../content/schema-draft.ts';
import { t } from '../../languages/translate.ts';
import { lazy } from '../../shared/lazy.tsx';
import { defineFieldType, type FieldInputProps } from '../definition.ts';
import { nestedFieldsOf } from '../fields.ts';

const BlockEditor = lazy(() => import('../../content/block-editor.tsx'));

const Editor = (props: FieldInputProps<Row[]>) => (
  <Suspense>
    <BlockEditor {...props} />
  </Suspense>
);

export const blocks = defineFieldType<Row>({
  label: t('Blocks'),
  formatOf: 'group',
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  hasDefault: false,
  Input: () => null,
  RepeatedInput: Editor,
  format(value, field, formatNested) {
    const block = blocksOf(field).find(({ id }) => id === value._block);
    const texts = nestedFieldsOf({ ...field, fields: block?.fields ?? [] }).map((nested) =>
      formatNested(nested, value[nested.id]),
    );
    return [block?.label ?? value._block, ...texts].filter(Boolean).join(' · ');
  },
  filter: { operators: ['exists'] },
  csv: { canMatch: false, formats: [] },
  settings: {
    Editor: BlockList,
    toRequest: ({ blocks: list }, nestedToRequest) => ({
      blocks: list.map((block) => ({
        id: apiIdOfBlock(block),
        label: block.label.trim(),
        ...(!block.isNew && { status: block.status }),
        ...(block.componentId === undefined
          ? { fields: block.fields.map(nestedToRequest), ...(!block.isNew && { componentId: null }) }
          : { componentId: block.componentId }),
      })),
    }),
  },
});
