import type { ConversionResult } from '@headwater/sdk';
import { Alert, Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { headwater } from '../service/session.ts';
import { messageOf } from '../shared/messages.ts';
import { decimalOf, IDENTIFIERS, type Identifier } from './columns.ts';
import { RESULT_TEXTS } from './results.ts';

const EMPTY = { found: '', value: '', currency: '', eventId: '', event: '' };

export function ReportOne() {
  const [identifier, setIdentifier] = useState<Identifier>('gclid');
  const [form, setForm] = useState(EMPTY);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => {
      const { found, value, ...rest } = form;
      const given = Object.entries(rest).filter(([, each]) => each.trim() !== '');
      return headwater.reportConversion({
        [identifier]: found.trim(),
        ...(value.trim() !== '' && { value: decimalOf(value.trim()) }),
        ...Object.fromEntries(given.map(([name, each]) => [name, each.trim()])),
      });
    },
  });
  const input = (name: keyof typeof EMPTY) => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack className="surface" p="lg">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Found by"
            data={Object.entries(IDENTIFIERS).map(([value, label]) => ({ value, label }))}
            value={identifier}
            onChange={(next) => setIdentifier((next ?? 'gclid') as Identifier)}
            allowDeselect={false}
            searchable
          />
          <TextInput label={IDENTIFIERS[identifier]} required {...input('found')} />
          <TextInput label="Value" placeholder="129.90" inputMode="decimal" {...input('value')} />
          <TextInput label="Currency" placeholder="EUR" maxLength={3} {...input('currency')} />
          <TextInput
            label="Order number"
            description="The same one again changes the value, and makes no second sale"
            {...input('eventId')}
          />
          <TextInput label="Event name" description="A conversion unless you name it" {...input('event')} />
        </SimpleGrid>
        {mutation.data && <Result result={mutation.data} />}
        {mutation.isError && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(mutation.error).detail}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={mutation.isPending} disabled={form.found.trim() === ''}>
            Report
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Result({ result }: { result: ConversionResult }) {
  return (
    <Alert
      color={result.status === 'reported' ? 'teal' : 'gray'}
      variant="light"
      role="status"
      title={RESULT_TEXTS[result.status].title}
    >
      {result.reason ?? RESULT_TEXTS[result.status].detail}
    </Alert>
  );
}
