import type { Backups as AllBackups, Backup } from '@headwater/sdk';
import { Alert, Badge, Code, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { ensureConfirmed, headwater, useSession } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

const KEY = ['operator', 'backups'];
const POLL_MS = 2_000;

const COLUMNS: Column<Backup>[] = [
  timeColumn('created', t('Created'), ({ createdAt }) => createdAt),
  { id: 'size', label: t('Database'), isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { id: 'encryption', label: t('Encryption'), cell: ({ isEncrypted }) => (isEncrypted ? t('Encrypted') : t('None')) },
  { id: 'check', label: t('Check'), cell: ({ check }) => <CheckStatus check={check} />, note: checkNote },
];

async function download(name: string): Promise<void> {
  if (await ensureConfirmed()) window.location.assign(`/operator/backups/${name}/archive`);
}

/** The backups of the service, for its operators. The navigation does not show the page to others. */
export function BackupsPage() {
  if (useSession().user.isOperator) return <Backups />;
  return (
    <Page title={t('Operators only')}>
      <EmptyState icon="shield" title={t('Backups contain all accounts of the service')}>
        {rich('Its operator can give you access with <code>headwater users operator</code>.', {
          code: (text) => <Code>{text}</Code>,
        })}
      </EmptyState>
    </Page>
  );
}

function Backups() {
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => headwater.listBackups({ signal }),
    // A check runs in the background.
    refetchInterval: ({ state }) => (state.data?.backups.some(isRunning) ? POLL_MS : false),
  });
  const check = useMutation({
    mutationFn: ({ name }: Backup) => headwater.checkBackup({ name }),
    onSuccess: () => notify(t('The check has started.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
  const { data } = query;
  return (
    <Page
      wide
      title={t('Backups')}
      description={
        data?.location &&
        t('Every {everyHours} h to {location}; the newest {keep} are kept.', {
          everyHours: data.everyHours,
          location: data.location,
          keep: data.keep,
        })
      }
    >
      {data?.failing && (
        <Alert color="orange" title={t('No backup is made')}>
          <FailingText failing={data.failing} />
        </Alert>
      )}
      {data?.continuous && <Continuous continuous={data.continuous} />}
      <DataTable
        label={t('Backups')}
        query={{ ...query, data: data?.backups }}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        rowName={({ createdAt }) => t('backup of {createdAt}', { createdAt: formatDateTime(createdAt) })}
        actions={(backup) => [
          ...(backup.isEncrypted || isRunning(backup)
            ? []
            : [{ label: t('Check'), onClick: () => check.mutate(backup) }]),
          { label: t('Download'), onClick: () => void download(backup.name) },
        ]}
        empty={
          data?.location === null ? (
            <EmptyState icon="shield" title={t('No automatic backups')}>
              {rich('Set <code>BACKUP_URL</code> to a folder or bucket outside of this machine.', {
                code: (text) => <Code>{text}</Code>,
              })}
            </EmptyState>
          ) : (
            <EmptyState icon="shield" title={t('No backups yet')}>
              {t('The first one is made within minutes.')}
            </EmptyState>
          )
        }
      />
      <Text size="sm" c="dimmed">
        {rich(
          'A download contains the database of all accounts without files. Restore with <code>headwater restore</code>.',
          { code: (text) => <Code>{text}</Code> },
        )}
      </Text>
    </Page>
  );
}

const isRunning = ({ check }: Backup) => check !== null && check.finishedAt === null;

function CheckStatus({ check }: Pick<Backup, 'check'>) {
  if (check === null) return t('Not checked');
  if (check.isValid === null) return <Badge variant="light">{t('Running')}</Badge>;
  return check.isValid ? (
    <Badge variant="light" color="teal">
      {t('Valid')}
    </Badge>
  ) : (
    <Badge variant="light" color="red">
      {t('Damaged')}
    </Badge>
  );
}

function checkNote({ check }: Backup) {
  if (!check?.finishedAt) return undefined;
  const [first, ...more] = check.damaged;
  if (first === undefined) return formatDateTime(check.finishedAt);
  return more.length > 0 ? t('{first} and {count} more', { first, count: more.length }) : first;
}

const FailingText = ({ failing }: { failing: NonNullable<AllBackups['failing']> }) => (
  <Text size="sm">
    {t('Fails since {since}: {error} – next attempt {at}', {
      since: formatDateTime(failing.since),
      error: failing.error,
      at: formatDateTime(failing.nextAttemptAt),
    })}
  </Text>
);

function Continuous({ continuous: { ranges, failing } }: { continuous: NonNullable<AllBackups['continuous']> }) {
  const newest = ranges.at(-1);
  return (
    <Alert color={failing ? 'orange' : 'gray'} title={t('Continuous backups')}>
      {newest
        ? t('The database can be restored to any time from {from} until {until}.', {
            from: formatDateTime(newest.from),
            until: formatDateTime(newest.until),
          })
        : t('The first copy of the database is being made.')}
      {failing && <FailingText failing={failing} />}
    </Alert>
  );
}
