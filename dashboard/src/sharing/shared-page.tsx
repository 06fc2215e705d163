import { createClient, isHeadwaterError, type SharedReport } from '@headwater/sdk';
import { Box, Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { FunnelResult } from '../funnels/funnel-result.tsx';
import { t } from '../languages/translate.ts';
import { Breakdowns } from '../overview/breakdowns.tsx';
import { Numbers } from '../overview/numbers.tsx';
import { filterText } from '../reports/dimension-labels.ts';
import { FilterPicker } from '../reports/filter-picker.tsx';
import {
  type Dimension,
  type Filter,
  filterParams,
  filtersOf,
  type Operator,
  type OverviewState,
  rangeOf,
  readOverviewState,
  spanOf,
  withFilter,
} from '../reports/overview-state.ts';
import { PeriodControls } from '../reports/period-controls.tsx';
import { ReportSource } from '../reports/report-source.ts';
import { formatRange } from '../shared/date-range-button.tsx';
import { FilterChip } from '../shared/filter-chip.tsx';
import { Form } from '../shared/form.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { Logo } from '../shared/logo.tsx';
import { ErrorState, Loaded, LoadingState } from '../shared/states.tsx';
import { setAccountTimeZone } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import { Entrance, EntranceError, tokenOfLink } from '../users/entrance.tsx';
import { rangeOfLink } from './link-range.ts';

/** Where this tab keeps that the password was entered. Storage can be blocked in a frame. */
const storageKey = (token: string) => `headwater-shared-${token.slice(0, 8)}`;
function stored(token: string): string {
  try {
    return sessionStorage.getItem(storageKey(token)) ?? '';
  } catch {
    return '';
  }
}
function store(token: string, access: string): void {
  try {
    sessionStorage.setItem(storageKey(token), access);
  } catch {
    // The password is asked for again after a reload.
  }
}

/** The client of a shared link. It uses no session. */
function clientOf(token: string) {
  let access = stored(token);
  const client = createClient({
    headers: () => ({ 'x-shared-link': token, ...(access && { 'x-shared-access': access }) }),
  });
  return {
    ...client,
    unlock: async (password: string) => {
      ({ access } = await client.unlockSharedReport({ password }));
      store(token, access);
    },
  };
}
type SharedClient = ReturnType<typeof clientOf>;

/** A report for anyone who has its link: `/share#token`. */
export const SharedPage = () => <SharedLinkPage isEmbedded={false} />;

/** The same in a frame of another site: `/embed#token`. */
export const EmbeddedPage = () => <SharedLinkPage isEmbedded />;

function SharedLinkPage({ isEmbedded }: { isEmbedded: boolean }) {
  const [client] = useState(() => clientOf(tokenOfLink()));
  const query = useQuery({
    queryKey: ['shared report'],
    queryFn: ({ signal }) => client.getSharedReport({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.isPending) return <LoadingState rows={10} />;
  if (isHeadwaterError(query.error, 'password_required')) {
    return <Password client={client} onUnlocked={() => query.refetch()} />;
  }
  if (isHeadwaterError(query.error, 'not_found')) {
    return (
      <Entrance
        title={t('Link not valid')}
        description={t('This link was revoked, or it is incomplete. Ask for a new one.')}
      />
    );
  }
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  setAccountTimeZone(query.data.timeZone);
  return <Report client={client} report={query.data} isEmbedded={isEmbedded} />;
}

function Password({ client, onUnlocked }: { client: SharedClient; onUnlocked: () => void }) {
  const form = useForm({
    initial: { password: '' },
    save: ({ password }) => client.unlock(password),
    onSaved: onUnlocked,
  });
  return (
    <Entrance title={t('Shared report')} description={t('Enter the password that you got with the link.')}>
      <Form form={form} isGuarded={false}>
        <Stack>
          <EntranceError error={form.error} />
          <PasswordInput label={t('Password')} required autoFocus {...form.text('password')} />
          <Button type="submit" loading={form.isPending}>
            {t('Open the report')}
          </Button>
        </Stack>
      </Form>
    </Entrance>
  );
}

interface ReportProps {
  client: SharedClient;
  report: SharedReport;
  isEmbedded: boolean;
}

function Report({ client, report, isEmbedded }: ReportProps) {
  const { name, account, isInteractive, funnel } = report;
  const [state, setState] = useState<OverviewState>(() => readOverviewState(periodOf(report)));
  const set = (part: Partial<OverviewState>) => setState(readOverviewState({ ...state, ...part }));
  useEffect(() => {
    document.title = `${name} · ${account}`;
  }, [name, account]);
  const shared = sharedFilters(report);
  const span = spanOf(state);
  const setFilter = (filter: Filter) => set({ filters: withFilter(state, filter) });
  return (
    <Box component="main" maw={1600} mx="auto" px={{ base: 'md', sm: 'xl' }} py={{ base: 'md', sm: 'xl' }}>
      <ReportSource value={reportsOf(client, isInteractive)}>
        <Stack gap="lg">
          {!isEmbedded && <Logo />}
          <Group justify="space-between" align="flex-end" gap="sm">
            <div>
              <Title order={1}>{name}</Title>
              <Text c="dimmed" size="sm" mt={2}>
                {account} · {formatRange(rangeOf(span))}
              </Text>
            </div>
            {isInteractive && (
              <Group gap="xs">
                <PeriodControls state={state} onChange={set} withComparison={!funnel} />
              </Group>
            )}
          </Group>
          {(shared.length > 0 || (isInteractive && !funnel)) && (
            <Group gap="xs">
              {isInteractive && !funnel && <FilterPicker range={span} onAdd={setFilter} />}
              {shared.map((filter) => (
                <Text key={filterText(filter)} size="sm" c="dimmed">
                  {filterText(filter)}
                </Text>
              ))}
              {filtersOf(state).map((filter) => (
                <FilterChip
                  key={`${filter.dimension} ${filter.operator}`}
                  text={filterText(filter)}
                  onRemove={() => setFilter({ ...filter, values: [] })}
                />
              ))}
            </Group>
          )}
          {funnel ? (
            <SharedFunnel
              client={client}
              range={isInteractive ? { from: span.from, to: span.to } : {}}
              breakdownBy={funnel.breakdownBy}
            />
          ) : (
            <SharedOverview
              client={client}
              state={state}
              hasAnnotations={report.hasAnnotations}
              onFilter={isInteractive ? setFilter : undefined}
            />
          )}
        </Stack>
      </ReportSource>
    </Box>
  );
}

interface SharedOverviewProps {
  client: SharedClient;
  state: OverviewState;
  hasAnnotations: boolean;
  /** Undefined: the link is not interactive. */
  onFilter: ((filter: Filter) => void) | undefined;
}

function SharedOverview({ client, state, hasAnnotations, onFilter }: SharedOverviewProps) {
  const { from, to, timeZone, interval, compare } = spanOf(state);
  const query = useQuery({
    queryKey: ['shared overview', from, to, compare, state.filters],
    queryFn: ({ signal }) =>
      client.getSharedOverview(
        { interval, ...(onFilter && { from, to, compare, ...filterParams(state.filters) }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
  return (
    <Loaded query={query} rows={8}>
      {(overview) => (
        <>
          <Numbers overview={overview} annotations={hasAnnotations ? 'readable' : undefined} />
          <Breakdowns range={{ from, to, timeZone }} filters={state.filters} {...(onFilter && { onFilter })} />
          <Text size="xs" c="dimmed">
            {t('Updated {asOf}', { asOf: formatRelativeTime(overview.asOf) })}
          </Text>
        </>
      )}
    </Loaded>
  );
}

interface SharedFunnelProps {
  client: SharedClient;
  range: { from?: string; to?: string };
  breakdownBy: Dimension | undefined;
}

function SharedFunnel({ client, range, breakdownBy }: SharedFunnelProps) {
  const query = useQuery({
    queryKey: ['shared funnel', range],
    queryFn: ({ signal }) => client.getSharedFunnel(range, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="surface">
      <Loaded query={query} rows={4}>
        {(result) => <FunnelResult funnel={result} breakdownBy={breakdownBy} />}
      </Loaded>
    </div>
  );
}

/** The cards ask for the period and filters that the page shows; a link that is not interactive knows them itself. */
function reportsOf(client: SharedClient, isInteractive: boolean) {
  const chosen = <Query extends { timeZone?: unknown }>({ timeZone: _, ...query }: Query) => query;
  return {
    getOverview: ((query, options) => client.getSharedOverview(chosen(query), options)) as typeof client.getOverview,
    getBreakdown: (({ from, to, by, limit, order, ...query }, options) =>
      client.getSharedBreakdown(
        { by, limit, order, ...(isInteractive && { from, to, ...chosen(query) }) },
        options,
      )) as typeof client.getBreakdown,
    listAnnotations: (({ from, to } = {}, options) =>
      client.listSharedAnnotations(isInteractive ? { from, to } : {}, options)) as typeof client.listAnnotations,
  };
}

/** The period of the report as the state of the overview. */
const periodOf = ({ compare, ...period }: SharedReport): OverviewState & Record<string, unknown> => ({
  ...rangeOfLink(period),
  ...(compare !== 'previous' && { compare }),
});

function sharedFilters({ filters }: SharedReport): Filter[] {
  return Object.entries(filters).flatMap(([dimension, filter]) =>
    Object.entries(Array.isArray(filter) ? { is: filter } : (filter ?? {})).map(([operator, values]) => ({
      dimension: dimension as Dimension,
      operator: operator as Operator,
      values: (values as (string | null)[]).map((value) => value ?? ''),
    })),
  );
}
