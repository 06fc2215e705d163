import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { useRights } from '../users/rights.ts';

const REFRESH_MS = MINUTE;

/** Says what has waited for too long, on every page. */
export function QueueNotice() {
  const { account } = useSession();
  const { uses } = useRights();
  const { data } = useQuery({
    queryKey: ['queue alarms', account.id],
    queryFn: async ({ signal }) => (await headwater.listQueueAlarms({ signal })).alarms,
    refetchInterval: REFRESH_MS,
    enabled: account.area === null && uses('webhooks'),
    retry: false,
  });
  if (data === undefined || data.length === 0) return null;
  return (
    <Alert role="alert" variant="light" color="orange" title={t('Waiting for too long')} mb="md">
      {data.map(({ queue, label, subject, since }) => (
        <Text key={`${queue} ${subject}`} size="sm">
          {t('{label}{subject}: due {since}', {
            label,
            subject: subject === '' ? '' : ` (${subject})`,
            since: formatRelativeTime(since),
          })}
        </Text>
      ))}
    </Alert>
  );
}
