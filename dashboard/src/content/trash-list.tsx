import { ActionIcon, Anchor, Button, Checkbox, Group, Progress, Table, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { doEach } from '../shared/do-each.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { tell, tellFailure } from '../shared/notify.tsx';

export interface Trashed {
  id: string;
  name: string;
  /** Where it can be looked at. */
  to?: string;
  /** What more is known of it. */
  note: string;
  deletedAt: string;
}

interface TrashListProps {
  items: Trashed[];
  /** What one of them, and several, are called. */
  nouns: readonly [one: string, several: string];
  /** The heading over the notes. */
  noteLabel: string;
  restore: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  /** After any of it. */
  onDone: () => void;
  /** What goes with those that are deleted for good. */
  warning: (items: Trashed[]) => ReactNode;
}

/** What was deleted: brought back or deleted for good, one or many at once. */
export function TrashList({ items, nouns, noteLabel, restore, remove, onDone, warning }: TrashListProps) {
  const mayEdit = useMayEdit();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Who is asked about them sees them until the question is gone.
  const [doomed, setDoomed] = useState<Trashed[]>([]);
  const [isAsked, setIsAsked] = useState(false);
  const [share, setShare] = useState<number>();
  const chosen = items.filter(({ id }) => selected.has(id));
  const isAll = items.every(({ id }) => selected.has(id));
  const count = (things: Trashed[]) => `${things.length} ${nouns[things.length === 1 ? 0 : 1]}`;

  const each = async (things: Trashed[], change: (id: string) => Promise<unknown>, said: string) => {
    const { failure } = await doEach(things, ({ id }) => change(id), setShare);
    setShare(undefined);
    setSelected(new Set());
    onDone();
    if (failure) tellFailure(failure);
    else tell(things.length === 1 ? `${things[0]?.name} ${said}.` : `${count(things)} ${said}.`);
  };
  const ask = (things: Trashed[]) => {
    setDoomed(things);
    setIsAsked(true);
  };
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return (
    <>
      {chosen.length > 0 && (
        <Group px="md" py="xs" role="region" aria-label={`Selected ${nouns[1]}`}>
          <Text size="sm" fw={550}>
            {count(chosen)} selected
          </Text>
          {share !== undefined && <Progress value={share} flex={1} aria-label="Progress" />}
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="restore" size={14} />}
            onClick={() => each(chosen, restore, 'brought back')}
          >
            Bring back
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => ask(chosen)}
          >
            Delete for good
          </Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setSelected(new Set())}>
            Clear selection
          </Button>
        </Group>
      )}
      <Table.ScrollContainer minWidth={340}>
        <Table className="data-table" verticalSpacing={9} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              {mayEdit && (
                <Table.Th w={44}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all that are shown"
                    checked={isAll}
                    indeterminate={!isAll && selected.size > 0}
                    onChange={() => setSelected(isAll ? new Set() : new Set(items.map(({ id }) => id)))}
                  />
                </Table.Th>
              )}
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="sm">{noteLabel}</Table.Th>
              <Table.Th>Deleted</Table.Th>
              {mayEdit && (
                <Table.Th w={90}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.id} data-selected={selected.has(item.id)}>
                {mayEdit && (
                  <Table.Td>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${item.name}`}
                      checked={selected.has(item.id)}
                      onChange={() => toggle(item.id)}
                    />
                  </Table.Td>
                )}
                <Table.Td>
                  {item.to ? (
                    <Anchor component={Link} to={item.to} fw={550} size="sm">
                      {item.name}
                    </Anchor>
                  ) : (
                    <Text size="sm" fw={550} component="span">
                      {item.name}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">{item.note}</Table.Td>
                <Table.Td title={formatTime(item.deletedAt)} c="dimmed">
                  {formatAgo(item.deletedAt)}
                </Table.Td>
                {mayEdit && (
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <ActionIcon
                        aria-label={`Bring back ${item.name}`}
                        title="Bring back"
                        onClick={() => each([item], restore, 'is back')}
                      >
                        <Icon name="restore" />
                      </ActionIcon>
                      <ActionIcon
                        aria-label={`Delete ${item.name} for good`}
                        title="Delete for good"
                        onClick={() => ask([item])}
                      >
                        <Icon name="trash" />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Confirm
        opened={isAsked}
        onClose={() => setIsAsked(false)}
        title={`Delete ${doomed.length === 1 ? doomed[0]?.name : count(doomed)} for good?`}
        action="Delete for good"
        run={() => each(doomed, remove, 'deleted for good')}
      >
        {warning(doomed)}
      </Confirm>
    </>
  );
}
