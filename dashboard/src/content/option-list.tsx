import { ActionIcon, Box, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { Icon } from '../shared/icons.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { isActive } from './field-types.ts';
import { type DraftOption, idOf, newOption } from './schema-draft.ts';

interface OptionListProps {
  options: DraftOption[];
  onChange: (options: DraftOption[]) => void;
  faults: Map<string, string>;
  pointer: string;
}

/** What can be chosen in a field, in its order. */
export function OptionList({ options, onChange, faults, pointer }: OptionListProps) {
  const active = options.filter(isActive);
  const retired = options.filter((option) => !isActive(option));
  const replace = (changed: DraftOption) =>
    onChange(options.map((each) => (each.key === changed.key ? changed : each)));
  const remove = (option: DraftOption) =>
    option.isNew
      ? onChange(options.filter(({ key }) => key !== option.key))
      : replace({ ...option, status: 'deleted' });
  return (
    <Box>
      <Text size="sm" fw={500} mb={4}>
        Choices
      </Text>
      <Stack gap={6}>
        <SortableList
          items={active}
          onChange={(sorted) => onChange([...sorted, ...retired])}
          nameOf={({ label }) => label || 'choice'}
        >
          {(option, handle) => {
            const at = `${pointer}/${options.indexOf(option)}`;
            const name = option.label || 'new choice';
            return (
              <Group gap={6} wrap="nowrap" align="flex-start">
                {handle}
                <TextInput
                  aria-label={`Label of ${name}`}
                  placeholder="Label"
                  size="xs"
                  flex={1}
                  value={option.label}
                  error={faults.get(`${at}/label`)}
                  onChange={(event) => replace({ ...option, label: event.currentTarget.value })}
                />
                {option.isNew ? (
                  <TextInput
                    aria-label={`Value of ${name}`}
                    placeholder={idOf(option.label) || 'Value in the API'}
                    size="xs"
                    flex={1}
                    value={option.value}
                    error={faults.get(`${at}/value`)}
                    onChange={(event) => replace({ ...option, value: event.currentTarget.value })}
                    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                  />
                ) : (
                  <Code flex={1} py={6} bg="transparent">
                    {option.value}
                  </Code>
                )}
                <ActionIcon onClick={() => remove(option)} aria-label={`${option.isNew ? 'Remove' : 'Retire'} ${name}`}>
                  <Icon name="close" size={14} />
                </ActionIcon>
              </Group>
            );
          }}
        </SortableList>
      </Stack>
      {faults.get(pointer) && (
        <Text c="red" size="sm">
          {faults.get(pointer)}
        </Text>
      )}
      <Group mt={6} gap="xs">
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...active, newOption(), ...retired])}
        >
          Add a choice
        </Button>
        {retired.map((option) => (
          <Button
            key={option.key}
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<Icon name="restore" size={14} />}
            onClick={() => replace({ ...option, status: 'active' })}
          >
            Bring back {option.label}
          </Button>
        ))}
      </Group>
    </Box>
  );
}
