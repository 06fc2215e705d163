import { Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { addDays, today } from '../shared/days.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { displayTimeZone } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { IDENTIFIERS, type Identifier } from './columns.ts';
import { valueText } from './conversion-list.tsx';
import { identifierLabel, UnmatchedSummary } from './unmatched-summary.tsx';

type Unmatched = Awaited<ReturnType<typeof headwater.listUnmatchedConversions>>['conversions'][number];

const COLUMNS: Column<Unmatched>[] = [
  { id: 'event', label: t('Conversion'), cell: ({ event }) => event, note: ({ eventId }) => eventId },
  {
    id: 'identifier',
    label: t('Identifier'),
    title: ({ identifier }) => Object.values(identifier).join(', '),
    cell: ({ identifier }) => identifierLabel(Object.keys(identifier)[0] ?? null),
    note: ({ identifier }) => <span className="code">{Object.values(identifier).join(', ')}</span>,
  },
  { id: 'value', label: t('Value'), isNumber: true, cell: valueText },
  timeColumn('received', t('Received'), ({ receivedAt }) => receivedAt),
  { id: 'expires', label: t('Expires'), cell: ({ expiresAt }) => formatDateTime(expiresAt) },
];

/** The days for which unmatched conversions are kept. */
const last30Days = () => ({
  from: addDays(today(), -30),
  to: addDays(today(), 1),
  timeZone: displayTimeZone(),
});

export function UnmatchedList({ q, identifier }: { q: string | undefined; identifier: string | undefined }) {
  const mayEdit = useMayWrite('conversions');
  const [correcting, setCorrecting] = useState<Unmatched>();
  const [deleting, setDeleting] = useState<Unmatched>();
  const isFiltered = q !== undefined || identifier !== undefined;
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['unmatched', q, identifier],
      (pageToken, signal) =>
        headwater.listUnmatchedConversions(
          { q, identifier: identifier as Identifier | undefined, pageToken },
          { signal },
        ),
      ({ conversions }) => conversions,
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      {!isFiltered && <UnmatchedSummary range={last30Days()} />}
      <DataTable
        label={t('Unmatched conversions')}
        query={query}
        columns={COLUMNS}
        minWidth={720}
        rowKey={({ id }) => id}
        rowName={({ event, eventId }) => eventId ?? event}
        {...(mayEdit && {
          actions: (each: Unmatched) => [
            { label: t('Correct'), onClick: () => setCorrecting(each) },
            { label: t('Delete'), isDestructive: true, onClick: () => setDeleting(each) },
          ],
        })}
        empty={
          <EmptyState
            icon="check"
            title={isFiltered ? t('No unmatched conversions found') : t('All conversions matched')}
          >
            {t('Unmatched conversions are kept for 30 days and matched automatically when their session arrives.')}
          </EmptyState>
        }
      />
      {correcting && <CorrectDialog conversion={correcting} onClose={() => setCorrecting(undefined)} />}
      {deleting && (
        <ConfirmDialog
          title={t('Delete this unmatched conversion?')}
          action={t('Delete')}
          onClose={() => setDeleting(undefined)}
          run={async () => {
            await headwater.deleteUnmatchedConversion({ conversionId: deleting.id });
            refresh();
            notify(t('Deleted.'));
          }}
        >
          {t('It will not be matched when its session arrives. Conversions that were matched are not affected.')}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

const refresh = () => {
  for (const queryKey of [['unmatched'], ['unmatched-report'], ['conversions']]) {
    void queryClient.invalidateQueries({ queryKey });
  }
};

/** Changes the identifier: to the right click ID, or to the session that it belongs to. */
function CorrectDialog({ conversion, onClose }: { conversion: Unmatched; onClose: () => void }) {
  const [[name, value] = ['gclid', '']] = Object.entries(conversion.identifier);
  const form = useForm({
    initial: { identifier: name as Identifier, value: String(value) },
    mustChange: true,
    isValid: (values) => values.value.trim() !== '',
    save: (values) =>
      headwater.correctUnmatchedConversion(
        { conversionId: conversion.id },
        { identifier: { [values.identifier]: values.value.trim() } },
      ),
    onSaved: ({ matched }) => {
      onClose();
      refresh();
      notify(matched ? t('Matched to its session.') : t('Corrected. No session has this identifier yet.'));
    },
  });
  return (
    <FormDialog form={form} title={t('Correct the identifier')} submit={t('Save')} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t('Choose a session hash to assign the conversion to a session.')}
      </Text>
      <Select
        label={t('Match by')}
        data={Object.entries(IDENTIFIERS).map(([each, label]) => ({ value: each, label }))}
        {...form.input('identifier')}
        searchable
        allowDeselect={false}
      />
      <TextInput
        label={t('Value')}
        required
        {...form.text('value')}
        error={form.errorOf('identifier')}
        data-autofocus
      />
    </FormDialog>
  );
}
