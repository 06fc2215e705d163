import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Checkbox,
  Code,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { Icon } from '../shared/icons.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { type FieldType, isActive, TYPE_LABELS } from './field-types.ts';
import { OptionList } from './option-list.tsx';
import { type DraftField, newField, relabelled } from './schema-draft.ts';

const TYPES = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }));

interface FieldListProps {
  fields: DraftField[];
  onChange: (fields: DraftField[]) => void;
  /** What the service refused, by JSON Pointer. */
  faults: Map<string, string>;
  /** Of this list in what is sent. */
  pointer: string;
  isNested?: boolean;
}

/** The fields of a collection or of a group: in their order, what is retired below. */
export function FieldList({ fields, onChange, faults, pointer, isNested = false }: FieldListProps) {
  const list = useRef<HTMLDivElement>(null);
  const active = fields.filter(isActive);
  const retired = fields.filter((field) => !isActive(field));
  const replace = (changed: DraftField) =>
    onChange(fields.map((field) => (field.key === changed.key ? changed : field)));
  const add = () => {
    onChange([...active, newField(), ...retired]);
    // The new field's name is what one writes next.
    requestAnimationFrame(() => {
      const names = list.current?.querySelectorAll<HTMLInputElement>(`[data-field-name="${pointer}"]`);
      names?.[names.length - 1]?.focus();
    });
  };
  return (
    <Stack gap="xs" ref={list}>
      <SortableList
        items={active}
        onChange={(sorted) => onChange([...sorted, ...retired])}
        nameOf={({ label }) => label || 'field'}
      >
        {(field, handle) => (
          <FieldCard
            field={field}
            handle={handle}
            onChange={replace}
            onRemove={() =>
              field.isNew
                ? onChange(fields.filter(({ key }) => key !== field.key))
                : replace({ ...field, status: 'deleted' })
            }
            faults={faults}
            pointer={`${pointer}/${fields.indexOf(field)}`}
            list={pointer}
            isNested={isNested}
          />
        )}
      </SortableList>
      {faults.get(pointer) && (
        <Text c="red" size="sm">
          {faults.get(pointer)}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={add}
          size={isNested ? 'compact-sm' : 'sm'}
        >
          Add a field{isNested ? ' to the group' : ''}
        </Button>
      </Group>
      {retired.length > 0 && (
        <Box mt="xs">
          <Text size="sm" fw={550} mb={4}>
            Retired
          </Text>
          <Text size="xs" c="dimmed" mb="xs">
            Their values are kept, but neither shown nor asked for.
          </Text>
          {retired.map((field) => (
            <Group key={field.key} justify="space-between" py={4}>
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  {field.label}
                </Text>
                <Badge variant="default" size="sm" tt="none" fw={500}>
                  {TYPE_LABELS[field.type]}
                </Badge>
              </Group>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon name="restore" size={14} />}
                onClick={() => replace({ ...field, status: 'active' })}
                aria-label={`Bring back ${field.label}`}
              >
                Bring back
              </Button>
            </Group>
          ))}
        </Box>
      )}
    </Stack>
  );
}

interface FieldCardProps {
  field: DraftField;
  handle: ReactNode;
  onChange: (field: DraftField) => void;
  onRemove: () => void;
  faults: Map<string, string>;
  pointer: string;
  list: string;
  isNested: boolean;
}

function FieldCard({ field, handle, onChange, onRemove, faults, pointer, list, isNested }: FieldCardProps) {
  const name = field.label || 'new field';
  const types = isNested ? TYPES.filter(({ value }) => value !== 'group') : TYPES;
  const removal = field.isNew ? 'Remove' : 'Retire';
  return (
    <Box className="surface" p={isNested ? 'xs' : 'sm'}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Box pt={24}>{handle}</Box>
        <Stack gap="xs" flex={1} miw={0}>
          <Group gap="xs" align="flex-start">
            <TextInput
              label="Field"
              placeholder="Headline"
              value={field.label}
              error={faults.get(`${pointer}/label`)}
              onChange={(event) => onChange(relabelled(field, event.currentTarget.value))}
              data-field-name={list}
              flex={2}
              miw={140}
            />
            {field.isNew && (
              <>
                <Select
                  label="Type"
                  data={types}
                  value={field.type}
                  onChange={(type) => onChange({ ...field, type: type as FieldType })}
                  error={faults.get(`${pointer}/type`)}
                  allowDeselect={false}
                  flex={1}
                  miw={140}
                />
                <TextInput
                  label="Name in the API"
                  value={field.id}
                  error={faults.get(`${pointer}/id`)}
                  onChange={(event) => onChange({ ...field, id: event.currentTarget.value, hasOwnId: true })}
                  flex={1}
                  miw={120}
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
                />
              </>
            )}
          </Group>
          <Group gap="lg">
            {!field.isNew && (
              <Text size="sm" c="dimmed">
                {TYPE_LABELS[field.type]}
                {field.repeated && ', several'} · <Code>{field.id}</Code>
              </Text>
            )}
            <Checkbox
              label="Required"
              size="sm"
              checked={field.required}
              onChange={(event) => onChange({ ...field, required: event.currentTarget.checked })}
            />
            {field.isNew && !isNested && (
              <Checkbox
                label="Several values"
                size="sm"
                checked={field.repeated}
                onChange={(event) => onChange({ ...field, repeated: event.currentTarget.checked })}
              />
            )}
          </Group>
          {field.type === 'select' && (
            <OptionList
              options={field.options}
              onChange={(options) => onChange({ ...field, options })}
              faults={faults}
              pointer={`${pointer}/options`}
            />
          )}
          {field.type === 'group' && (
            <Box pl="sm" style={{ borderInlineStart: '2px solid var(--line)' }}>
              <FieldList
                fields={field.fields}
                onChange={(fields) => onChange({ ...field, fields })}
                faults={faults}
                pointer={`${pointer}/fields`}
                isNested
              />
            </Box>
          )}
        </Stack>
        <Tooltip label={removal}>
          <ActionIcon onClick={onRemove} aria-label={`${removal} ${name}`} mt={26}>
            <Icon name={field.isNew ? 'close' : 'trash'} size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Box>
  );
}
