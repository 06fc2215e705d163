import type { Collection, ImportCounts, UndoCounts as Undone } from '@headwater/sdk';
import { Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { targetsOf } from './targets.ts';

interface RowCountsProps {
  title: string;
  counts: ImportCounts;
  collection: Collection;
}

/** What became of the rows of a file, or would; and the first of those with a fault. */
export function RowCounts({ title, counts, collection }: RowCountsProps) {
  const { created, changed, unchanged, refused, faults, resultsUrl } = counts;
  const labels = new Map(targetsOf(collection).map(({ name, label }) => [name, label]));
  return (
    <Stack>
      <Tiles
        title={title}
        resultsUrl={resultsUrl}
        counts={[
          [created, 'new'],
          [changed, 'changed'],
          [unchanged, 'as they are'],
          [refused, 'refused'],
        ]}
      />
      {faults.length > 0 && (
        <Stack gap="sm">
          <Title order={2}>Why rows are refused</Title>
          <div className="surface">
            <Table.ScrollContainer minWidth={480}>
              <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th w={90}>Row</Table.Th>
                    <Table.Th w={200}>Field</Table.Th>
                    <Table.Th>Fault</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {faults.map(({ row, field, detail }, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several faults of one field
                    <Table.Tr key={i}>
                      <Table.Td className="number">{formatNumber(row)}</Table.Td>
                      <Table.Td>{field === null ? '' : (labels.get(field) ?? field)}</Table.Td>
                      <Table.Td style={{ whiteSpace: 'normal' }}>{detail}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </div>
          {refused > faults.length && (
            <Text size="sm" c="dimmed">
              These are the first {faults.length}; the results have all.
            </Text>
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** What became of what an import had written. */
export function UndoCounts({ counts }: { counts: Undone }) {
  const { deleted, restored, kept, resultsUrl } = counts;
  return (
    <Tiles
      title="Undone"
      resultsUrl={resultsUrl}
      counts={[
        [deleted, 'deleted again'],
        [restored, 'as they were'],
        [kept, 'kept, changed since'],
      ]}
    />
  );
}

interface TilesProps {
  title: string;
  resultsUrl: string | null;
  counts: readonly [count: number, what: string][];
}

function Tiles({ title, resultsUrl, counts }: TilesProps) {
  return (
    <Group className="surface" p="lg" justify="space-between">
      <Stack gap="xs">
        <Title order={2}>{title}</Title>
        <Group gap="xl">
          {counts.map(([count, what]) => (
            <div key={what}>
              <Text fz={24} fw={620} className="number">
                {formatNumber(count)}
              </Text>
              <Text size="sm" c="dimmed">
                {what}
              </Text>
            </div>
          ))}
        </Group>
      </Stack>
      {resultsUrl && (
        <Button
          component="a"
          href={resultsUrl}
          download
          variant="default"
          leftSection={<Icon name="exports" size={16} />}
        >
          Results, row by row
        </Button>
      )}
    </Group>
  );
}
