import { ActionIcon, Box, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import type { FieldErrors } from '../field-types/definition.ts';
import type { DraftOption } from '../field-types/draft.ts';
import { t } from '../languages/translate.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { toApiId } from './api-id.ts';
import { archivable } from './archivable.ts';
import { newOption } from './schema-draft.ts';

interface OptionListProps {
  options: DraftOption[];
  onChange: (options: DraftOption[]) => void;
  errors: FieldErrors;
  pointer: string;
}

/** The options of a select field: active ones in their order, archived ones below. */
export function OptionList({ options, onChange, errors, pointer }: OptionListProps) {
  const { active, archived, replace, remove, setActive } = archivable(options, onChange);
  return (
    <Box>
      <Text size="sm" fw={500} mb={4}>
        {t('Options')}
      </Text>
      <Stack gap={6}>
        <SortableList items={active} onChange={setActive} nameOf={({ label }) => label || t('new option')}>
          {(option, handle) => (
            <OptionRow
              option={option}
              handle={handle}
              onChange={replace}
              onRemove={() => remove(option)}
              errors={errors}
              pointer={`${pointer}/${options.indexOf(option)}`}
            />
          )}
        </SortableList>
      </Stack>
      {errors.get(pointer) && (
        <Text c="red" size="sm">
          {errors.get(pointer)}
        </Text>
      )}
      <Group mt={6} gap="xs">
        <IconButton icon="plus" variant="subtle" size="compact-xs" onClick={() => setActive([...active, newOption()])}>
          {t('Add option')}
        </IconButton>
        {archived.map((option) => (
          <IconButton
            icon="restore"
            key={option.key}
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => replace({ ...option, status: 'active' })}
          >
            {t('Restore {label}', { label: option.label })}
          </IconButton>
        ))}
      </Group>
    </Box>
  );
}

interface OptionRowProps {
  option: DraftOption;
  handle: React.ReactNode;
  onChange: (option: DraftOption) => void;
  onRemove: () => void;
  errors: FieldErrors;
  pointer: string;
}

function OptionRow({ option, handle, onChange, onRemove, errors, pointer }: OptionRowProps) {
  const name = option.label || t('new option');
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {handle}
      <TextInput
        aria-label={t('Label of {name}', { name })}
        placeholder={t('Label')}
        dir="auto"
        size="xs"
        flex={1}
        value={option.label}
        error={errors.get(`${pointer}/label`)}
        onChange={(event) => onChange({ ...option, label: event.currentTarget.value })}
      />
      {option.isNew ? (
        <TextInput
          aria-label={t('Value of {name}', { name })}
          placeholder={toApiId(option.label) || t('API value')}
          size="xs"
          flex={1}
          value={option.value}
          error={errors.get(`${pointer}/value`)}
          onChange={(event) => onChange({ ...option, value: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      ) : (
        <Code flex={1} py={6} bg="transparent">
          {option.value}
        </Code>
      )}
      <ActionIcon
        onClick={onRemove}
        aria-label={option.isNew ? t('Remove {name}', { name }) : t('Archive {name}', { name })}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </Group>
  );
}
