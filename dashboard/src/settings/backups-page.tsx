import type { Backup } from '@headwater/sdk';
import { Alert, Badge, Code, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater, useSession } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

const KEY = ['operator', 'backups'];
const POLL_MS = 2_000;

const COLUMNS: Column<Backup>[] = [
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
  { id: 'size', label: 'Database', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { id: 'encryption', label: 'Encryption', cell: ({ isEncrypted }) => (isEncrypted ? 'Encrypted' : 'None') },
  { id: 'check', label: 'Check', cell: ({ check }) => <CheckStatus check={check} />, note: checkNote },
];

/** The backups of the service, for its operators. The navigation does not show the page to others. */
export function BackupsPage() {
  if (useSession().user.isOperator) return <Backups />;
  return (
    <Page title="Operators only">
      <EmptyState icon="shield" title="Backups contain all accounts of the service">
        Its operator can give you access with <Code>headwater users operator</Code>.
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
    onSuccess: () => notify('The check has started.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
  const { data } = query;
  return (
    <Page
      wide
      title="Backups"
      description={
        data?.location && `Every ${data.everyHours} h to ${data.location}; the newest ${data.keep} are kept.`
      }
    >
      {data?.continuous && <Continuous ranges={data.continuous.ranges} />}
      <DataTable
        label="Backups"
        query={{ ...query, data: data?.backups }}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        rowName={({ createdAt }) => `backup of ${formatDateTime(createdAt)}`}
        actions={(backup) => [
          ...(backup.isEncrypted || isRunning(backup) ? [] : [{ label: 'Check', onClick: () => check.mutate(backup) }]),
          { label: 'Download', onClick: () => window.location.assign(`/operator/backups/${backup.name}/archive`) },
        ]}
        empty={
          data?.location === null ? (
            <EmptyState icon="shield" title="No automatic backups">
              Set <Code>BACKUP_URL</Code> to a folder or bucket outside of this machine.
            </EmptyState>
          ) : (
            <EmptyState icon="shield" title="No backups yet">
              The first one is made within minutes.
            </EmptyState>
          )
        }
      />
      <Text size="sm" c="dimmed">
        A download contains the database of all accounts without files. Restore with <Code>headwater restore</Code>.
      </Text>
    </Page>
  );
}

const isRunning = ({ check }: Backup) => check !== null && check.finishedAt === null;

function CheckStatus({ check }: Pick<Backup, 'check'>) {
  if (check === null) return 'Not checked';
  if (check.isValid === null) return <Badge variant="light">Running</Badge>;
  return check.isValid ? (
    <Badge variant="light" color="teal">
      Valid
    </Badge>
  ) : (
    <Badge variant="light" color="red">
      Damaged
    </Badge>
  );
}

function checkNote({ check }: Backup) {
  if (!check?.finishedAt) return undefined;
  const [first, ...more] = check.damaged;
  if (first === undefined) return formatDateTime(check.finishedAt);
  return more.length > 0 ? `${first} and ${more.length} more` : first;
}

function Continuous({ ranges }: { ranges: { from: string; until: string }[] }) {
  const newest = ranges.at(-1);
  return (
    <Alert color="gray" title="Continuous backups">
      {newest
        ? `The database can be restored to any time from ${formatDateTime(newest.from)} until ${formatDateTime(newest.until)}.`
        : 'The first copy of the database is being made.'}
    </Alert>
  );
}
