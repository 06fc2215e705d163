import type { Block } from '@headwater/sdk';
import { ActionIcon, Box, Button, Group, Input, Menu, Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import type { FieldInputProps } from '../field-types/definition.ts';
import { isActive } from '../field-types/fields.ts';
import { visibleFields } from '../field-types/visible-when.ts';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { blocksOf, copyOfRow, newRow, type Row } from './rows.ts';

/**
 * The rows of a field with blocks: added between others, moved by mouse, touch or keyboard, folded, duplicated and removed. What
 * happens to a row is announced, and the focus follows it.
 */
export default function BlockEditor(props: FieldInputProps<Row[]>) {
  const { field, label, value: rows = [], onChange, errors, pointer } = props;
  const editor = useRef<HTMLDivElement>(null);
  // Long pages open folded.
  const [folded, setFolded] = useState<ReadonlySet<string>>(
    () => new Set(rows.length > 3 ? rows.map(({ _id }) => _id) : []),
  );
  // Except for rows with faults, and the one that is to be shown.
  const faulty = rows.filter((_, i) => [...errors.keys()].some((at) => at.startsWith(`${pointer}/${i}/`)));
  const found = faulty.map(({ _id }) => _id).join();
  const [seen, setSeen] = useState('');
  if (seen !== found) {
    setSeen(found);
    setFolded(new Set([...folded].filter((id) => !faulty.some(({ _id }) => _id === id))));
  }
  const [announcement, announce] = useState('');
  const blocks = blocksOf(field).filter(isActive);
  const set = (next: readonly Row[], said: string, focused?: string, isNew = false) => {
    onChange(next.length === 0 ? undefined : [...next]);
    announce(said);
    if (focused === undefined) return;
    requestAnimationFrame(() => {
      const row = editor.current?.querySelector<HTMLElement>(`[data-row="${focused}"]`);
      const first = isNew ? row?.querySelector<HTMLElement>('input[type="text"], textarea') : undefined;
      (first ?? row?.querySelector<HTMLElement>('button[data-fold]'))?.focus();
    });
  };
  const insert = (row: Row, at: number, isNew: boolean) => {
    const place = { name: nameOf(row), at: at + 1, count: rows.length + 1 };
    set(rows.toSpliced(at, 0, row), t('{name} added as {at} of {count}.', place), row._id, isNew);
  };
  const add = (block: Block, at: number) => insert(newRow(block), at, true);
  const latest = useRef({ rows, insert });
  latest.current = { rows, insert };
  const fold = (ids: readonly string[], isFolded: boolean) => {
    const next = new Set(folded);
    for (const id of ids) isFolded ? next.add(id) : next.delete(id);
    setFolded(next);
  };
  const all = rows.map(({ _id }) => _id);
  const nameOf = (row: Row) => blocks.find(({ id }) => id === row._block)?.label ?? row._block;
  return (
    <Input.Wrapper
      label={label}
      description={field.helpText}
      withAsterisk={field.required}
      labelElement="div"
      error={errors.get(pointer)}
    >
      <Stack gap="xs" ref={editor} role="group" aria-label={label} mt={4}>
        {rows.length > 1 && (
          <Group gap={6}>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => fold(all, true)}>
              {t('Fold all')}
            </Button>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => fold(all, false)}>
              {t('Unfold all')}
            </Button>
          </Group>
        )}
        <SortableList
          items={rows.map((row, index) => ({ key: row._id, row, index }))}
          onChange={(items) =>
            set(
              items.map(({ row }) => row),
              t('{label} has a new order.', { label }),
            )
          }
          nameOf={({ row, index }) => `${nameOf(row)} ${index + 1}`}
        >
          {({ row, index }, handle) => (
            <BlockRow
              {...props}
              row={row}
              index={index}
              count={rows.length}
              handle={handle}
              block={blocks.find(({ id }) => id === row._block)}
              isFolded={folded.has(row._id)}
              onFold={(isFolded) => fold([row._id], isFolded)}
              onRow={(next) => onChange(rows.map((each) => (each._id === row._id ? next : each)))}
              onMove={(to) => {
                const others = rows.filter((each) => each._id !== row._id);
                const place = { name: nameOf(row), at: to + 1, count: rows.length };
                set(others.toSpliced(to, 0, row), t('{name} moved to {at} of {count}.', place), row._id);
              }}
              onDuplicate={() => {
                const copy = copyOfRow(field, row);
                set(rows.toSpliced(index + 1, 0, copy), t('{name} duplicated.', { name: nameOf(row) }), copy._id);
              }}
              onRemove={() => {
                const next = rows[index + 1] ?? rows[index - 1];
                const said = t('{name} removed.', { name: nameOf(row) });
                set(
                  rows.filter((each) => each._id !== row._id),
                  said,
                  next?._id,
                );
                notifyWithUndo(said, async () => {
                  const now = latest.current;
                  now.insert(row, Math.min(index, now.rows.length), false);
                });
              }}
              adder={
                <AddBlock
                  blocks={blocks}
                  label={t('Add below {row} {index}', { row: nameOf(row), index: index + 1 })}
                  onAdd={(block) => add(block, index + 1)}
                  isSmall
                />
              }
            />
          )}
        </SortableList>
        <Group>
          <AddBlock blocks={blocks} label={t('Add to {label}', { label })} onAdd={(block) => add(block, rows.length)} />
        </Group>
        <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      </Stack>
    </Input.Wrapper>
  );
}

interface BlockRowProps extends FieldInputProps<Row[]> {
  row: Row;
  index: number;
  count: number;
  handle: React.ReactNode;
  block: Block | undefined;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onRow: (row: Row) => void;
  onMove: (to: number) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  adder: React.ReactNode;
}

function BlockRow(props: BlockRowProps) {
  const { row, index, count, handle, block, isFolded, onFold, onRow, onMove, errors, pointer } = props;
  const { FieldInput, formatValue } = props;
  const name = `${block?.label ?? row._block} ${index + 1}`;
  const fields = (block?.fields ?? []).filter(isActive);
  const summary = fields.map((field) => formatValue(field, row[field.id])).find(Boolean);
  return (
    <Box
      className="surface"
      p="xs"
      data-row={row._id}
      role="group"
      aria-label={t('{name} of {count}', { name, count })}
    >
      <Group gap={4} wrap="nowrap">
        {handle}
        <Button
          data-fold
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={!isFolded}
          onClick={() => onFold(!isFolded)}
          leftSection={<Icon name={isFolded ? 'right' : 'down'} size={14} />}
        >
          {block?.label ?? row._block}
        </Button>
        <Text size="sm" c="dimmed" truncate flex={1} miw={0} dir="auto">
          {isFolded && summary}
        </Text>
        <Action
          label={t('Move {name} up', { name })}
          icon="up"
          isDisabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <Action
          label={t('Move {name} down', { name })}
          icon="down"
          isDisabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        />
        <Action label={t('Duplicate {name}', { name })} icon="copy" onClick={props.onDuplicate} />
        {props.adder}
        <Action label={t('Remove {name}', { name })} icon="close" onClick={props.onRemove} />
      </Group>
      {!isFolded && (
        <Stack gap="sm" pt="xs" ps={34}>
          {visibleFields(fields, row, ({ id }) => errors.has(`${pointer}/${index}/${id}`)).map((field) => (
            <FieldInput
              key={field.id}
              field={field}
              value={row[field.id]}
              onChange={(value) => {
                const { [field.id]: _, ...rest } = row;
                onRow((value === undefined ? rest : { ...rest, [field.id]: value }) as Row);
              }}
              errors={errors}
              pointer={`${pointer}/${index}/${field.id}`}
            />
          ))}
          {errors.get(`${pointer}/${index}/_block`) && (
            <Input.Error>{errors.get(`${pointer}/${index}/_block`)}</Input.Error>
          )}
        </Stack>
      )}
    </Box>
  );
}

interface ActionProps {
  label: string;
  icon: 'up' | 'down' | 'copy' | 'close';
  onClick: () => void;
  isDisabled?: boolean;
}

/** Stays focusable where it does nothing, so that the focus is not lost at the first and the last place. */
const Action = ({ label, icon, onClick, isDisabled = false }: ActionProps) => (
  <Tooltip label={label}>
    <ActionIcon
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      data-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon name={icon} size={15} />
    </ActionIcon>
  </Tooltip>
);

interface AddBlockProps {
  blocks: readonly Block[];
  label: string;
  onAdd: (block: Block) => void;
  isSmall?: boolean;
}

/** With one kind of block, a button; with several, a menu of them. */
function AddBlock({ blocks, label, onAdd, isSmall = false }: AddBlockProps) {
  const [only] = blocks;
  const button = isSmall ? (
    <ActionIcon aria-label={label}>
      <Icon name="plus" size={15} />
    </ActionIcon>
  ) : (
    <Button variant="default" size="compact-sm" leftSection={<Icon name="plus" size={14} />}>
      {label}
    </Button>
  );
  if (only && blocks.length === 1) {
    return isSmall ? (
      <ActionIcon aria-label={label} onClick={() => onAdd(only)}>
        <Icon name="plus" size={15} />
      </ActionIcon>
    ) : (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => onAdd(only)}
      >
        {label}
      </Button>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {blocks.map((block) => (
          <Menu.Item key={block.id} onClick={() => onAdd(block)}>
            {block.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
