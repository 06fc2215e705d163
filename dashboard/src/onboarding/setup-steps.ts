import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { addDays, today } from '../shared/days.ts';
import { useRights } from '../users/rights.ts';

export type SetupStep = 'script' | 'event' | 'conversion' | 'postback' | 'integration';

export const STEP_LABELS: Record<SetupStep, string> = {
  script: t('Install the script and see the first visit'),
  event: t('Track the first event'),
  conversion: t('Report a conversion from your server'),
  postback: t('Connect a network by its postback URL'),
  integration: t('Add a webhook or an ad platform'),
};

const POLL_MS = 4_000;

/** Checks a step until it is done, so that it turns green automatically. */
function useCheck(step: string, isDone: (signal: AbortSignal) => Promise<boolean>, isEnabled = true) {
  return useQuery({
    queryKey: ['setup', step],
    queryFn: ({ signal }) => isDone(signal),
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data === true ? false : POLL_MS),
  }).data;
}

/** The latest session, which examples use. */
export function useLatestSession(isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: ['setup', 'session'],
    queryFn: async ({ signal }) =>
      (await headwater.listTrackedSessions({ pageSize: 1 }, { signal })).sessions[0] ?? null,
    refetchInterval: ({ state }) => (state.data ? false : POLL_MS),
  }).data;
}

/** Which steps are done; undefined while it is unknown. Editors and viewers do not see keys, so not the postback's either. */
export function useSetupSteps(): Record<SetupStep, boolean | undefined> {
  const seesKeys = useRights().uses('members');
  const session = useLatestSession();
  return {
    script: session === undefined ? undefined : session !== null,
    event: useCheck('event', async (signal) => {
      const period = { from: addDays(today(), -90), to: addDays(today(), 2) };
      const report = await headwater.getBreakdown({ ...period, by: 'event', order: 'events', limit: 1 }, { signal });
      return (report.breakdowns.event?.rows[0]?.events ?? 0) > 0;
    }),
    conversion: useCheck(
      'conversion',
      async (signal) =>
        (await headwater.listConversions({ origin: 'report', pageSize: 1 }, { signal })).conversions.length > 0,
    ),
    postback: useCheck(
      'postback',
      async (signal) =>
        (await headwater.listKeys({ type: 'postback' }, { signal })).keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      seesKeys,
    ),
    integration: useCheck('integration', async (signal) => {
      const [{ webhooks }, { destinations }] = await Promise.all([
        headwater.listWebhooks({ pageSize: 1 }, { signal }),
        headwater.listDestinations({ pageSize: 1 }, { signal }),
      ]);
      return webhooks.length + destinations.length > 0;
    }),
  };
}
