import type { Collection, Import } from '@headwater/sdk';
import { Alert, Button, Group, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { headwater } from '../service/session.ts';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { keepImport } from './queries.ts';
import { ID, type Mapping, mappingOf, NEW, planOf, type Target, targetsOf } from './targets.ts';

/** What the columns are, how the cells are written, and what a row does: from there to the rehearsal. */
export function MappingForm({ collection, file }: { collection: Collection; file: Import }) {
  const [mapping, setMapping] = useState<Mapping>(() => mappingOf(file));
  const set = (part: Partial<Mapping>) => setMapping((before) => ({ ...before, ...part }));
  const targets = targetsOf(collection);
  const mapped = targets.filter(({ name }) => mapping.columns.includes(name));
  const missing = targets.filter((target) => target.required && !mapped.includes(target));
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () =>
      headwater.rehearseImport({ collectionId: collection.id, importId: file.id }, planOf(mapping, targets)),
    onSuccess: keepImport,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ColumnsTable file={file} targets={targets} mapping={mapping} set={set} />
        <Stack className="surface" p="lg">
          <Title order={2}>What a row does</Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Matching targets={mapped} mapping={mapping} set={set} />
          </SimpleGrid>
          <Forms targets={mapped} mapping={mapping} set={set} />
        </Stack>
        {mapping.match === NEW && missing.length > 0 && (
          <Alert color="orange" variant="light" title="No column is chosen for what every entry needs">
            {missing.map(({ label }) => label).join(', ')}
          </Alert>
        )}
        {mutation.isError && (
          <Alert color="red" variant="light" title={messageOf(mutation.error).title}>
            {[...faultsOf(mutation.error).values()].join(' ') || messageOf(mutation.error).detail}
          </Alert>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            The rehearsal looks at every row and writes nothing.
          </Text>
          <Button type="submit" loading={mutation.isPending} disabled={mapped.length === 0}>
            Rehearse
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface PartProps {
  targets: Target[];
  mapping: Mapping;
  set: (part: Partial<Mapping>) => void;
}

function ColumnsTable({ file, targets, mapping, set }: PartProps & { file: Import }) {
  const choose = (at: number, target: string | null) => {
    const columns = mapping.columns.map((each, i) => (i === at ? target : each));
    const { match } = mapping;
    const isLost = match !== NEW && !columns.includes(match);
    set({ columns, match: target === ID ? ID : isLost ? NEW : match });
  };
  return (
    <div className="surface">
      <Table.ScrollContainer minWidth={320}>
        <Table className="data-table" verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column of the file</Table.Th>
              <Table.Th w="55%">Field</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {file.columns.map(({ name, samples }, i) => {
              const chosen = mapping.columns[i] ?? null;
              const target = targets.find((each) => each.name === chosen);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one heading
                <Table.Tr key={i}>
                  <Table.Td style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                    <Text size="sm" fw={550}>
                      {name || `Column ${i + 1}`}
                    </Text>
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {samples
                        .filter((sample) => sample.trim() !== '')
                        .slice(0, 3)
                        .join(' · ') || '(empty)'}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Select
                      aria-label={`Field of ${name || `column ${i + 1}`}`}
                      placeholder="Left out"
                      data={[
                        { value: ID, label: 'Id of the entry' },
                        ...targets.map((each) => ({ value: each.name, label: each.label })),
                      ].filter(({ value }) => value === chosen || !mapping.columns.includes(value))}
                      value={chosen}
                      onChange={(next) => choose(i, next)}
                      clearable
                      searchable
                    />
                    {target?.isRepeated && target.type !== 'group' && (
                      <Select
                        mt={6}
                        aria-label={`What parts the values of ${target.label}`}
                        data={SEPARATORS}
                        value={mapping.separators[target.name] ?? ''}
                        onChange={(next) => set({ separators: { ...mapping.separators, [target.name]: next ?? '' } })}
                        allowDeselect={false}
                      />
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

const SEPARATORS = [
  { value: '', label: 'Values are a JSON array' },
  { value: ',', label: 'Values are parted by commas' },
  { value: ';', label: 'Values are parted by semicolons' },
  { value: '|', label: 'Values are parted by |' },
  { value: '\n', label: 'Each value is on a line' },
];

function Matching({ targets, mapping, set }: PartProps) {
  const keys = targets.filter(({ isKey }) => isKey);
  return (
    <>
      <Select
        label="Rows are for"
        description="A row that finds an entry changes it; any other makes a new one."
        data={[
          { value: NEW, label: 'New entries, each of them' },
          ...(mapping.columns.includes(ID) ? [{ value: ID, label: 'The entry of its id' }] : []),
          ...keys.map(({ name, label }) => ({ value: name, label: `The entry with the same ${label}` })),
        ]}
        value={mapping.match}
        onChange={(next) => set({ match: next ?? NEW })}
        allowDeselect={false}
      />
      {mapping.match !== NEW && (
        <Select
          label="An empty cell"
          description="Of an entry that is there."
          data={[
            { value: 'clear', label: 'Takes the value away' },
            { value: 'keep', label: 'Leaves the value as it is' },
          ]}
          value={mapping.emptyCells}
          onChange={(next) => set({ emptyCells: next === 'keep' ? 'keep' : 'clear' })}
          allowDeselect={false}
        />
      )}
    </>
  );
}

/** Only what the chosen fields can be written in. */
function Forms({ targets, mapping, set }: PartProps) {
  const has = (...types: string[]) => targets.some(({ type }) => types.includes(type));
  if (!has('number', 'date', 'timestamp')) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {has('number') && (
        <Select
          label="1,234 is"
          data={[
            { value: '.', label: 'one thousand two hundred' },
            { value: ',', label: 'one and a fraction' },
          ]}
          placeholder="refused, as it may be either"
          value={mapping.decimal}
          onChange={(decimal) => set({ decimal })}
          clearable
        />
      )}
      {has('date', 'timestamp') && (
        <Select
          label="03/04/2026 is"
          data={[
            { value: 'dmy', label: '3 April' },
            { value: 'mdy', label: 'March 4' },
          ]}
          placeholder="refused, as it may be either"
          value={mapping.dateOrder}
          onChange={(dateOrder) => set({ dateOrder })}
          clearable
        />
      )}
      {has('timestamp') && (
        <Select
          label="Times without a zone are of"
          data={TIME_ZONES}
          placeholder="no zone: they are refused"
          value={mapping.timeZone}
          onChange={(timeZone) => set({ timeZone })}
          clearable
          searchable
          limit={50}
        />
      )}
    </SimpleGrid>
  );
}

const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
