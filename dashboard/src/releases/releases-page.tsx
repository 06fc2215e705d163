import type { Release } from '@headwater/sdk';
import { Badge, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDateTime, formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { lazy } from '../shared/lazy.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';
import { invalidateReleases, releasesQuery, releaseTitle } from './queries.ts';
import { ReleaseCalendar } from './release-calendar.tsx';
import { STATUS_COLORS, STATUS_LABELS } from './status.ts';

const ReleaseDrawer = lazy(() => import('./release-drawer.tsx'));

const COLUMNS: Column<Release>[] = [
  { id: 'name', label: t('Name'), cell: releaseTitle },
  {
    id: 'status',
    label: t('Status'),
    cell: ({ status }) => (
      <Badge variant="light" color={STATUS_COLORS[status]}>
        {STATUS_LABELS[status]}
      </Badge>
    ),
  },
  { id: 'at', label: t('Time'), cell: ({ at }) => (at ? formatDateTime(at) : t('No time')) },
  { id: 'entries', label: t('Entries'), isNumber: true, cell: ({ itemCount }) => formatNumber(itemCount) },
];

/** Unfinished releases and the calendar of releases. */
export function ReleasesPage() {
  const query = useQuery(releasesQuery({ status: 'pending' }));
  const mayEdit = useRights().may('publish');
  const [open, setOpen] = useState<Release>();
  const [isCreating, setIsCreating] = useState(false);
  const newButton = mayEdit && (
    <IconButton icon="plus" onClick={() => setIsCreating(true)}>
      {t('New release')}
    </IconButton>
  );
  return (
    <Page
      wide
      title={t('Releases')}
      description={t('Publish entries at a scheduled time, or several together.')}
      back={{ to: '/content', label: t('Content') }}
      actions={newButton}
    >
      <DataTable
        label={t('Releases')}
        minWidth={480}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowName={releaseTitle}
        onOpen={setOpen}
        empty={
          <EmptyState icon="clock" title={t('No upcoming releases')} action={newButton}>
            {t('Schedule an entry on its page, or add several to a release.')}
          </EmptyState>
        }
      />
      <ReleaseCalendar onOpen={setOpen} />
      <Suspense>
        {open && <ReleaseDrawer release={open} onChanged={setOpen} onClose={() => setOpen(undefined)} />}
      </Suspense>
      {isCreating && <NewReleaseDialog onCreated={setOpen} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function NewReleaseDialog({ onCreated, onClose }: { onCreated: (release: Release) => void; onClose: () => void }) {
  const form = useForm<{ name: string }, Release>({
    initial: { name: '' },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name }) => headwater.createRelease({ name: name.trim() }),
    onSaved: (release) => {
      invalidateReleases();
      onClose();
      onCreated(release);
    },
  });
  return (
    <FormDialog form={form} title={t('New release')} submit={t('Create release')} onClose={onClose}>
      <TextInput label={t('Name')} required {...form.text('name')} data-autofocus />
    </FormDialog>
  );
}
