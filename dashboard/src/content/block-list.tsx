import { ActionIcon, Box, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import type { SettingsProps } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { toApiId } from './api-id.ts';
import { archivable } from './archivable.ts';
import { FoldedFields } from './folded-fields.tsx';
import { newBlock } from './schema-draft.ts';

const ComponentSelect = lazy(() => import('./component-select.tsx'));

/** The kinds of rows of a field with blocks: active ones in their order, archived ones below. */
export function BlockList({ field, onChange, errors, pointer, FieldList }: SettingsProps) {
  const { blocks } = field;
  const { active, archived, replace, remove, setActive } = archivable(blocks, (next) =>
    onChange({ ...field, blocks: next }),
  );
  return (
    <Box>
      <Text size="sm" fw={500} mb={4}>
        {t('Blocks')}
      </Text>
      <Stack gap="xs">
        <SortableList items={active} onChange={setActive} nameOf={({ label }) => label || t('new block')}>
          {(block, handle) => {
            const at = `${pointer}/blocks/${blocks.indexOf(block)}`;
            const name = block.label || t('new block');
            return (
              <Box pl="sm" style={{ borderInlineStart: '2px solid var(--line)' }}>
                <Group gap="xs" align="flex-end" mb="xs">
                  {handle}
                  <TextInput
                    label={t('Block')}
                    placeholder={t('Hero')}
                    dir="auto"
                    value={block.label}
                    error={errors.get(`${at}/label`)}
                    onChange={(event) => replace({ ...block, label: event.currentTarget.value })}
                    flex={1}
                  />
                  {block.isNew ? (
                    <TextInput
                      label={t('API ID')}
                      value={block.id || toApiId(block.label)}
                      error={errors.get(`${at}/id`)}
                      onChange={(event) => replace({ ...block, id: event.currentTarget.value })}
                      flex={1}
                    />
                  ) : (
                    <Code mb={8}>{block.id}</Code>
                  )}
                  <ActionIcon
                    onClick={() => remove(block)}
                    aria-label={block.isNew ? t('Remove {name}', { name }) : t('Archive {name}', { name })}
                    mb={4}
                  >
                    <Icon name={block.isNew ? 'close' : 'trash'} size={16} />
                  </ActionIcon>
                </Group>
                <Suspense>
                  <ComponentSelect
                    label={t('Fields of')}
                    value={block.componentId}
                    onChange={(componentId, component = '') =>
                      replace({ ...block, componentId, label: block.label || component })
                    }
                    error={errors.get(`${at}/componentId`)}
                  />
                </Suspense>
                {block.componentId === undefined && (
                  <FoldedFields
                    {...{ name, errors }}
                    fields={block.fields}
                    isNew={block.isNew}
                    pointer={`${at}/fields`}
                  >
                    <FieldList
                      fields={block.fields}
                      onChange={(fields) => replace({ ...block, fields })}
                      errors={errors}
                      pointer={`${at}/fields`}
                      isNested
                    />
                  </FoldedFields>
                )}
              </Box>
            );
          }}
        </SortableList>
      </Stack>
      {errors.get(`${pointer}/blocks`) && (
        <Text c="red" size="sm">
          {errors.get(`${pointer}/blocks`)}
        </Text>
      )}
      <Group mt={6} gap="xs">
        <IconButton icon="plus" variant="subtle" size="compact-sm" onClick={() => setActive([...active, newBlock()])}>
          {t('Add block')}
        </IconButton>
        {archived.map((block) => (
          <IconButton
            icon="restore"
            key={block.key}
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => replace({ ...block, status: 'active' })}
          >
            {t('Restore {label}', { label: block.label })}
          </IconButton>
        ))}
      </Group>
    </Box>
  );
}
