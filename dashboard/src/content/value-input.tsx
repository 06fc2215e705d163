import {
  ActionIcon,
  Box,
  Button,
  Fieldset,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { DateInput, DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import type { AssetValue } from '@headwater/sdk';
import dayjs from 'dayjs';
import { useRef } from 'react';
import { AssetInput } from '../files/asset-input.tsx';
import { Icon } from '../shared/icons.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { type AnyField, isActive, isRepeated, nestedOf } from './field-types.ts';

export interface ValueInputProps {
  field: AnyField;
  value: unknown;
  /** undefined takes the value away. */
  onChange: (value: unknown) => void;
  /** What the service refused, by JSON Pointer. */
  faults: Map<string, string>;
  /** Of this value in what is sent. */
  pointer: string;
  /** Alone in a cell: without a label that is seen. */
  isBare?: boolean;
  autoFocus?: boolean;
}

/** The input of a field, whatever its type, and however many values it has. */
export function ValueInput(props: ValueInputProps) {
  const { field } = props;
  if (!isRepeated(field))
    return field.type === 'group' ? <GroupInput {...props} /> : <SingleInput {...props} label={field.label} />;
  return field.type === 'select' ? <ChoicesInput {...props} /> : <RepeatedInput {...props} />;
}

type SingleProps = ValueInputProps & { label: string };

function SingleInput({
  field,
  value,
  onChange,
  faults,
  pointer,
  isBare = false,
  autoFocus = false,
  label,
}: SingleProps) {
  const common = {
    label: isBare ? undefined : label,
    'aria-label': isBare ? label : undefined,
    withAsterisk: field.required && !isBare,
    error: faults.get(pointer),
    autoFocus,
  };
  const text = (value ?? '') as string;
  const orNone = (next: string | null) => onChange(next === '' || next === null ? undefined : next);
  switch (field.type) {
    case 'text':
      return isBare ? (
        <TextInput {...common} value={text} onChange={(event) => orNone(event.currentTarget.value)} />
      ) : (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={16}
          value={text}
          onChange={(event) => orNone(event.currentTarget.value)}
        />
      );
    case 'url':
      return (
        <TextInput
          {...common}
          type="url"
          placeholder="https://"
          value={text}
          onChange={(event) => orNone(event.currentTarget.value.trim())}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={(value as number | undefined) ?? ''}
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
          thousandSeparator=" "
          hideControls
        />
      );
    case 'boolean':
      return (
        <YesOrNo
          {...common}
          isRequired={field.required}
          value={value}
          onChange={onChange}
          label={isBare ? undefined : label}
          name={label}
        />
      );
    case 'date':
      return (
        <DateInput
          {...common}
          value={text || null}
          onChange={(day) => orNone(day)}
          valueFormat="D MMMM YYYY"
          placeholder="1 January 2027"
          clearable={!field.required}
          popoverProps={{ withinPortal: true }}
        />
      );
    case 'timestamp':
      return (
        <DateTimePicker
          {...common}
          value={text ? dayjs(text).format('YYYY-MM-DD HH:mm:ss') : null}
          onChange={(time) => onChange(time ? dayjs(time).toISOString() : undefined)}
          valueFormat="D MMMM YYYY, HH:mm"
          placeholder="A day and a time"
          clearable={!field.required}
        />
      );
    case 'select':
      return (
        <Select
          {...common}
          data={choicesOf(field, [text])}
          value={text || null}
          onChange={orNone}
          placeholder="Choose"
          clearable={!field.required}
          searchable={(field.options ?? []).length > 8}
          defaultDropdownOpened={isBare}
        />
      );
    case 'asset':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <AssetInput label={label} value={value as AssetValue | undefined} onChange={onChange} />
        </Input.Wrapper>
      );
    default:
      throw new Error(`a field of type ${field.type} has no input`);
  }
}

/** Active options, and what is chosen already though it was retired. */
function choicesOf(field: AnyField, chosen: readonly string[]) {
  return (field.options ?? [])
    .filter((option) => isActive(option) || chosen.includes(option.value))
    .map((option) => ({ value: option.value, label: isActive(option) ? option.label : `${option.label} (retired)` }));
}

interface YesOrNoProps {
  label: string | undefined;
  name: string;
  isRequired: boolean;
  withAsterisk: boolean;
  error: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}

function YesOrNo({ label, name, isRequired, withAsterisk, error, value, onChange }: YesOrNoProps) {
  const choices = [
    { value: 'true', label: 'Yes' },
    { value: 'false', label: 'No' },
  ];
  return (
    <Input.Wrapper label={label} error={error} withAsterisk={withAsterisk} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={name}
          value={value === undefined || value === null ? '' : String(value)}
          onChange={(next) => onChange(next === '' ? undefined : next === 'true')}
          data={isRequired ? choices : [...choices, { value: '', label: 'Not set' }]}
        />
      </div>
    </Input.Wrapper>
  );
}

function ChoicesInput({ field, value, onChange, faults, pointer, isBare }: ValueInputProps) {
  const chosen = (value ?? []) as string[];
  const error = [...faults].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1];
  return (
    <MultiSelect
      label={isBare ? undefined : field.label}
      aria-label={isBare ? field.label : undefined}
      withAsterisk={field.required && !isBare}
      data={choicesOf(field, chosen)}
      value={chosen}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      error={error}
      placeholder={chosen.length === 0 ? 'Choose' : undefined}
      clearable
      searchable
    />
  );
}

function GroupInput({
  field,
  value,
  onChange,
  faults,
  pointer,
  label = field.label,
}: ValueInputProps & { label?: string }) {
  const values = (value ?? {}) as Record<string, unknown>;
  const error = faults.get(pointer);
  return (
    <Fieldset legend={field.required ? `${label} *` : label} radius="md" variant="default">
      <Stack gap="sm">
        {nestedOf(field)
          .filter(isActive)
          .map((nested) => (
            <ValueInput
              key={nested.id}
              field={nested}
              value={values[nested.id]}
              onChange={(next) => onChange(withMember(values, nested.id, next))}
              faults={faults}
              pointer={`${pointer}/${nested.id}`}
            />
          ))}
        {error && <Input.Error>{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}

/** undefined where nothing is left in the group. */
function withMember(values: Record<string, unknown>, id: string, next: unknown): Record<string, unknown> | undefined {
  const { [id]: _, ...rest } = values;
  const changed = next === undefined ? rest : { ...rest, [id]: next };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

let lastKey = 0;
const newKey = () => String(++lastKey);

function RepeatedInput({ field, value, onChange, faults, pointer }: ValueInputProps) {
  const all = (value ?? []) as unknown[];
  // Two values may be equal: each has a key of its own, so that it can be moved.
  const keys = useRef<string[]>([]);
  while (keys.current.length < all.length) keys.current.push(newKey());
  keys.current.length = all.length;
  const items = all.map((each, i) => ({ key: keys.current[i] ?? '', value: each, at: i }));
  const set = (next: { key: string; value: unknown }[]) => {
    keys.current = next.map(({ key }) => key);
    onChange(next.length === 0 ? undefined : next.map((item) => item.value));
  };
  const add = () => set([...items, { key: newKey(), value: field.type === 'group' ? {} : undefined }]);
  return (
    <Input.Wrapper label={field.label} withAsterisk={field.required} labelElement="div" error={faults.get(pointer)}>
      <Stack gap="xs">
        <SortableList items={items} onChange={set} nameOf={({ at }) => `${field.label} ${at + 1}`}>
          {(item, handle) => {
            const input = {
              field,
              value: item.value,
              onChange: (next: unknown) =>
                set(items.map((each) => (each.key === item.key ? { ...each, value: next } : each))),
              faults,
              pointer: `${pointer}/${item.at}`,
            };
            const label = `${field.label} ${item.at + 1}`;
            return (
              <Group gap={6} wrap="nowrap" align="flex-start">
                <Box pt={field.type === 'group' ? 14 : 4}>{handle}</Box>
                <Box flex={1} miw={0}>
                  {field.type === 'group' ? (
                    <GroupInput {...input} label={label} />
                  ) : (
                    <SingleInput {...input} label={label} isBare />
                  )}
                </Box>
                <ActionIcon
                  onClick={() => set(items.filter(({ key }) => key !== item.key))}
                  aria-label={`Remove ${label}`}
                  mt={field.type === 'group' ? 14 : 4}
                >
                  <Icon name="close" size={16} />
                </ActionIcon>
              </Group>
            );
          }}
        </SortableList>
        <Group>
          <Button variant="default" size="compact-sm" leftSection={<Icon name="plus" size={14} />} onClick={add}>
            Add to {field.label}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
