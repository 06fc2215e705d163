import { parseExact } from '@headwater/sdk';
import { Alert, Button, Code, Group, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { downloadText } from '../shared/download-text.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { GuideLink } from '../shared/guide-link.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

const EXAMPLE = `select source, currency, count(*) as conversions, sum(value) as revenue
from conversions
group by source, currency
order by conversions desc`;

/** More would make the page slow; the file has all rows. */
const SHOWN = 500;

/** As long as the service gives a statement. */
const OPTIONS = { timeoutMs: 65_000 };

type Row = Record<string, unknown>;

/** Statements of analysts, and their rows. */
export function SqlPage() {
  const mayEdit = useMayEdit();
  const [text, setText] = useState(EXAMPLE);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (sent: string) => {
      const lines = await (await headwater.runSql({ query: sent }, OPTIONS)).text();
      return lines.split('\n').flatMap((line): Row[] => (line === '' ? [] : [parseExact(line) as Row]));
    },
  });
  const download = useMutation({
    meta: { shown: true },
    mutationFn: async () =>
      downloadText(
        'result.csv',
        'text/csv',
        await (await headwater.runSql({ query: text, format: 'csv' }, OPTIONS)).text(),
      ),
  });
  const error = run.error ?? download.error;
  return (
    <Page
      wide
      title={t('SQL')}
      description={t(
        'Read your data with SELECT. Sessions, visits, events, leads, conversions, costs and entries are views.',
      )}
    >
      {mayEdit ? (
        <Stack>
          <Textarea
            label={t('SQL statement')}
            autosize
            minRows={4}
            maxRows={20}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            spellCheck={false}
          />
          <Group>
            <Button loading={run.isPending} disabled={text.trim() === ''} onClick={() => run.mutate(text)}>
              {t('Run')}
            </Button>
            <Button
              variant="default"
              loading={download.isPending}
              disabled={text.trim() === ''}
              onClick={() => download.mutate()}
            >
              {t('Download CSV')}
            </Button>
            <GuideLink to="sql">{t('Views and functions')}</GuideLink>
          </Group>
          {error && (
            <Alert color="red" role="alert">
              {errorMessage(error).detail}
            </Alert>
          )}
          {run.data && !run.isPending && <Result rows={run.data} />}
        </Stack>
      ) : (
        <EmptyState icon="code" title={t('For editors')}>
          {t('Your role only reads reports. Ask an owner for the role of an editor to use SQL.')}
        </EmptyState>
      )}
    </Page>
  );
}

function Result({ rows }: { rows: readonly Row[] }) {
  const names = Object.keys(rows[0] ?? {});
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {rows.length > SHOWN
          ? t('The first {shown, number} of {count, number} rows', { shown: SHOWN, count: rows.length })
          : t('{count, plural, one {# row} other {# rows}}', { count: rows.length })}
      </Text>
      {rows.length > 0 && (
        <ScrollArea type="auto" tabIndex={0} role="region" aria-label={t('Result')}>
          <Table striped withTableBorder>
            <Table.Thead>
              <Table.Tr>
                {names.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(0, SHOWN).map((row, i) => (
                // Rows have no key of their own.
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <Table.Tr key={i}>
                  {names.map((name) => (
                    <Table.Td key={name}>{cellOf(row[name])}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
    </Stack>
  );
}

function cellOf(value: unknown) {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? <Code>{JSON.stringify(value)}</Code> : String(value);
}
