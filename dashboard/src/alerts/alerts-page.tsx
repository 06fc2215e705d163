import type { Alert } from '@headwater/sdk';
import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { notifyError } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { AlertDialog } from './alert-dialog.tsx';
import { channelsOf, currentOf, nameOf, STATUS_LABELS, subjectOf } from './labels.ts';
import { alertsQuery, invalidateAlerts } from './queries.ts';

const columnsIn = (currency: string | null): Column<Alert>[] => [
  { id: 'name', label: t('Alert'), isWrapped: true, cell: nameOf, note: subjectOf },
  {
    id: 'status',
    label: t('Status'),
    cell: ({ status, isEnabled }) =>
      isEnabled ? (
        <Badge variant="light" color={status === 'alerting' ? 'red' : status === 'ok' ? 'green' : 'gray'}>
          {STATUS_LABELS[status]}
        </Badge>
      ) : (
        t('Off')
      ),
    note: ({ incident, checkedAt }) =>
      incident
        ? t('since {time}', { time: formatRelativeTime(incident.openedAt) })
        : checkedAt
          ? formatRelativeTime(checkedAt)
          : '',
  },
  { id: 'current', label: t('Figure'), cell: (alert) => currentOf(alert, currency) },
  { id: 'channels', label: t('Channels'), cell: channelsOf },
];

/** Rules on figures, with their state. */
export function AlertsPage() {
  const mayEdit = useMayWrite('analytics');
  const { account } = useSession();
  const query = useQuery(alertsQuery());
  const [isAdding, setIsAdding] = useState(false);
  const [deleted, setDeleted] = useState<Alert>();
  return (
    <Page
      wide
      title={t('Alerts')}
      description={t('Tells you when a figure is not what it should be at its age.')}
      actions={mayEdit && <Button onClick={() => setIsAdding(true)}>{t('Add alert')}</Button>}
    >
      <DataTable
        label={t('Alerts')}
        minWidth={640}
        query={query}
        columns={columnsIn(account.currency)}
        rowKey={({ id }) => id}
        rowName={nameOf}
        {...(mayEdit && {
          actions: (alert: Alert) => [
            {
              label: alert.isEnabled ? t('Turn off') : t('Turn on'),
              onClick: () =>
                headwater
                  .updateAlert({ alertId: alert.id }, { isEnabled: !alert.isEnabled })
                  .then(invalidateAlerts, notifyError),
            },
            { label: t('Delete'), isDestructive: true, onClick: () => setDeleted(alert) },
          ],
        })}
        empty={
          <EmptyState icon="warning" title={t('No alerts yet')}>
            {t('Add one for sales that drop, a script that is silent, or ads that cost money and bring nothing.')}
          </EmptyState>
        }
      />
      {isAdding && <AlertDialog onClose={() => setIsAdding(false)} />}
      {deleted && (
        <ConfirmDialog
          title={t('Delete this alert?')}
          action={t('Delete')}
          onClose={() => setDeleted(undefined)}
          run={async () => {
            await headwater.deleteAlert({ alertId: deleted.id });
            invalidateAlerts();
          }}
        >
          {nameOf(deleted)}
        </ConfirmDialog>
      )}
    </Page>
  );
}
