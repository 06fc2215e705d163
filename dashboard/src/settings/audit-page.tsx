import type { AuditChange } from '@headwater/sdk';
import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { headwater } from '../service/session.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Listing } from '../shared/listing.tsx';
import { Page } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';
import { nameInWords, wordsOf } from './audit-words.ts';

export function AuditPage() {
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => headwater.listChanges({ pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
  });
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? [];
  return (
    <Page wide title="Audit log" description="Who changed what, and when.">
      <Listing
        query={query}
        label="Loading the audit log"
        isEmpty={changes.length === 0}
        empty={
          <Empty icon="clock" title="Nothing was changed yet">
            Changes of content, files, keys, members and settings appear here, and what is reported and exported by
            hand.
          </Empty>
        }
      >
        <Table.ScrollContainer minWidth={640}>
          <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Details</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Listing>
    </Page>
  );
}

const ACTORS = { user: 'A member', key: 'An API key', command: 'The command line' };

function Change({ change }: { change: AuditChange }) {
  const [isOpen, setIsOpen] = useState(false);
  const { actor, action, subject, address, at } = change;
  const before = change.before ?? {};
  const after = change.after ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td title={formatTime(at)}>{formatAgo(at)}</Table.Td>
        <Table.Td>
          {actor.name ?? ACTORS[actor.kind]}
          {address && (
            <Text size="xs" c="dimmed">
              {address}
            </Text>
          )}
        </Table.Td>
        <Table.Td>
          <Text size="sm">{wordsOf(action)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {subject.id}
          </Text>
        </Table.Td>
        <Table.Td ta="right">
          {names.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              rightSection={<Icon name={isOpen ? 'up' : 'down'} size={13} />}
              onClick={() => setIsOpen(!isOpen)}
              aria-expanded={isOpen}
            >
              Details
            </Button>
          )}
        </Table.Td>
      </Table.Tr>
      {isOpen &&
        names.map((name) => (
          <Table.Tr key={name}>
            <Table.Td />
            <Table.Td c="dimmed">{nameInWords(name)}</Table.Td>
            <Table.Td colSpan={2} style={{ whiteSpace: 'normal' }}>
              {name in before && (
                <Text size="sm" td="line-through" c="dimmed">
                  {asText(before[name])}
                </Text>
              )}
              {name in after && <Text size="sm">{asText(after[name])}</Text>}
            </Table.Td>
          </Table.Tr>
        ))}
    </Fragment>
  );
}

/** A value of any shape in words, without the signs of JSON. */
function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(asText).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${asText(each)}`)
      .join('; ');
  }
  return String(value);
}
