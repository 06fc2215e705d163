import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { TextLink } from '../shared/text-link.tsx';

/** Says that visits arrive which reports leave out, for an account that seems to have none. */
export function HiddenVisit() {
  const { data } = useQuery({
    queryKey: ['setup', 'hidden session'],
    queryFn: async ({ signal }) =>
      (await headwater.listTrackedSessions({ all: true, pageSize: 1 }, { signal })).sessions[0] ?? null,
    refetchInterval: 4_000,
  });
  if (!data?.isBot && !data?.isInternal) return null;
  return (
    <Alert color="orange" variant="light" role="status" title={t('A visit was received, but reports leave it out')}>
      <TextLink to={`/sessions/${data.id}`}>
        {t('The visit of {lastSeenAt}', { lastSeenAt: formatRelativeTime(data.lastSeenAt) })}
      </TextLink>{' '}
      {data.isBot
        ? t(
            'is by a bot: an automated browser, a crawler or a monitor. Open your page in a browser that nothing controls.',
          )
        : rich('is from an excluded IP. Change the list under <textlink>Tracking</textlink>.', {
            textlink: (text) => <TextLink to="/settings/tracking">{text}</TextLink>,
          })}
    </Alert>
  );
}
