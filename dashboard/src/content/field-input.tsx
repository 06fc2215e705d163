import { ActionIcon, Box, Group, Input, Stack, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { FieldInputProps } from '../field-types/definition.ts';
import { fieldTypeOf, formatValue, isRepeated } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { SortableList } from '../shared/sortable-list.tsx';

type AnyFieldInputProps = Omit<FieldInputProps, 'FieldInput' | 'formatValue' | 'label'> & { label?: string };

/** The input of a field of any type, with one value or several, in an element that is found by its pointer. */
export const FieldInput = (props: AnyFieldInputProps) => (
  <div data-pointer={props.pointer} style={{ display: 'contents' }}>
    <InputOfType {...props} />
  </div>
);

function InputOfType({ label, ...props }: AnyFieldInputProps) {
  const { field, value } = props;
  const { Input: SingleInput, RepeatedInput } = fieldTypeOf(field);
  const all = { ...props, label: label ?? field.label, FieldInput, formatValue };
  if (field.computed !== undefined) {
    // Made by the service when the entry is saved.
    return (
      <TextInput
        label={all.label}
        description={field.helpText}
        value={typeof value === 'string' ? value : ''}
        placeholder={field.computed}
        readOnly
        variant="filled"
        dir="auto"
      />
    );
  }
  if (!isRepeated(field)) return <SingleInput {...all} />;
  const values = Array.isArray(value) ? value : undefined;
  if (RepeatedInput) return <RepeatedInput {...all} value={values} />;
  return <ValueList {...all} value={values} />;
}

/** What a row that was added is typed into. */
const TYPED = 'input:not([type="file"]), textarea';

let lastKey = 0;
const newKey = () => String(++lastKey);

interface Row {
  key: string;
  value: unknown;
  index: number;
}

function ValueList(props: FieldInputProps<unknown[]>) {
  const { field, label, value = [], onChange, errors, pointer } = props;
  const { Input: SingleInput, emptyRow } = fieldTypeOf(field);
  // Values may be equal, so that only a key identifies the row that moves.
  const keys = useRef<string[]>([]);
  while (keys.current.length < value.length) keys.current.push(newKey());
  keys.current.length = value.length;
  const rows = value.map((each, index): Row => ({ key: keys.current[index] ?? '', value: each, index }));
  const set = (next: readonly Omit<Row, 'index'>[]) => {
    keys.current = next.map(({ key }) => key);
    onChange(next.length === 0 ? undefined : next.map((row) => row.value));
  };
  const latest = useRef({ rows, set });
  latest.current = { rows, set };
  const list = useRef<HTMLDivElement>(null);
  const add = () => {
    set([...rows, { key: newKey(), value: emptyRow }]);
    // A file is asked for by a dialog.
    if (field.type === 'asset') return;
    const added = `[data-pointer="${pointer}/${rows.length}"]`;
    requestAnimationFrame(() => list.current?.querySelector(added)?.querySelector<HTMLElement>(TYPED)?.focus());
  };
  const remove = ({ key, value: own, index }: Row) => {
    set(rows.filter((row) => row.key !== key));
    if (field.type !== 'group' || Object.keys(own ?? {}).length === 0) return;
    notifyWithUndo(t('{name} removed.', { name: `${label} ${index + 1}` }), async () =>
      latest.current.set(latest.current.rows.toSpliced(index, 0, { key, value: own, index })),
    );
  };
  const top = field.type === 'group' ? 14 : 4;
  return (
    <Input.Wrapper
      label={label}
      description={field.helpText}
      withAsterisk={field.required}
      labelElement="div"
      error={errors.get(pointer)}
    >
      <Stack gap="xs" ref={list}>
        <SortableList items={rows} onChange={set} nameOf={({ index }) => `${label} ${index + 1}`}>
          {({ key, value: own, index }, handle) => (
            <Group gap={6} wrap="nowrap" align="flex-start">
              <Box pt={top}>{handle}</Box>
              <Box flex={1} miw={0} data-pointer={`${pointer}/${index}`}>
                <SingleInput
                  {...props}
                  label={`${label} ${index + 1}`}
                  value={own ?? undefined}
                  onChange={(next: unknown) =>
                    set(rows.map((row) => (row.key === key ? { ...row, value: next } : row)))
                  }
                  pointer={`${pointer}/${index}`}
                  variant="row"
                />
              </Box>
              <ActionIcon
                onClick={() => remove({ key, value: own, index })}
                aria-label={t('Remove {label} {index}', { label, index: index + 1 })}
                mt={top}
              >
                <Icon name="close" size={16} />
              </ActionIcon>
            </Group>
          )}
        </SortableList>
        <Group>
          <IconButton icon="plus" variant="default" size="compact-sm" onClick={add}>
            {t('Add to {label}', { label })}
          </IconButton>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
