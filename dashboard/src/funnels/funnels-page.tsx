import { Alert, Group, SegmentedControl, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { DIMENSION_LABELS, filterText } from '../reports/dimension-labels.ts';
import { FilterPicker } from '../reports/filter-picker.tsx';
import { type Dimension, type Filter, filtersOf, spanOf, withFilter } from '../reports/overview-state.ts';
import { PeriodControls } from '../reports/period-controls.tsx';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { FilterChip } from '../shared/filter-chip.tsx';
import { Page } from '../shared/page.tsx';
import { SavedViews } from '../shared/saved-views.tsx';
import { EmptyState, LoadingState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { reportViews } from '../shared/view-store.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import { sharedFilters, sharedPeriod } from '../sharing/shared-period.ts';
import { FunnelResult } from './funnel-result.tsx';
import { BREAKDOWNS, DEFAULT_WINDOW, definitionOf, type FunnelState, WINDOWS } from './funnel-state.ts';
import { FunnelSteps } from './funnel-steps.tsx';

export function FunnelsPage() {
  const [state, set] = useSearchState<FunnelState>();
  const { steps = [], by, window = DEFAULT_WINDOW, breakdown } = state;
  const { from, to, timeZone, compare } = spanOf(state);
  const range = { from, to, timeZone };
  const report = { ...definitionOf(state), ...sharedFilters(state), compare };
  const query = useQuery({
    queryKey: ['funnel', report, range],
    queryFn: ({ signal }) => headwater.getFunnel({ ...report, ...range }, { signal }),
    enabled: steps.length > 0,
    placeholderData: keepPreviousData,
  });
  const setFilter = (filter: Filter) => set({ filters: withFilter(state, filter) });
  return (
    <Page
      wide
      title={t('Funnels')}
      description={t(
        'How many visitors continue from step to step, and where they drop off. Share this URL to share the funnel.',
      )}
      actions={<PeriodControls state={state} onChange={set} />}
    >
      <Group gap="xs">
        <FilterPicker range={range} onAdd={setFilter} />
        <SavedViews store={reportViews('funnels')} kind="funnel" />
        {steps.length > 0 && (
          <ShareButton
            report={{ period: sharedPeriod(state), compare, ...sharedFilters(state), funnel: definitionOf(state) }}
          />
        )}
        <SegmentedControl
          aria-label={t('Count')}
          value={by ?? 'session'}
          onChange={(next) => set({ by: next === 'visitor' ? 'visitor' : undefined })}
          data={[
            { value: 'session', label: t('Sessions') },
            { value: 'visitor', label: t('Visitors') },
          ]}
        />
        <Select
          aria-label={t('Conversion window')}
          w={170}
          allowDeselect={false}
          data={Object.entries(WINDOWS)
            .map(([value, label]) => ({ value, label: t('Within {label}', { label }) }))
            .sort((a, b) => Number(a.value) - Number(b.value))}
          value={String(window)}
          onChange={(next) => set({ window: Number(next) === DEFAULT_WINDOW ? undefined : Number(next) })}
        />
        <Select
          aria-label={t('Break down by')}
          placeholder={t('Break down by')}
          w={180}
          clearable
          searchable
          data={BREAKDOWNS.map((value) => ({ value, label: DIMENSION_LABELS[value] }))}
          value={breakdown ?? null}
          onChange={(next) => set({ breakdown: (next as Dimension | null) ?? undefined })}
        />
        {filtersOf(state).map((filter) => (
          <FilterChip
            key={`${filter.dimension} ${filter.operator}`}
            text={filterText(filter)}
            onRemove={() => setFilter({ ...filter, values: [] })}
          />
        ))}
      </Group>
      <FunnelSteps
        steps={steps}
        range={range}
        onChange={(next) => set({ steps: next.length === 0 ? undefined : next })}
      />
      <div className="surface">
        {steps.length === 0 ? (
          <EmptyState icon="filter" title={t('No steps yet')}>
            {t(
              'Add the pages and events that lead to a conversion, in order: a landing page, the cart, then the purchase.',
            )}
          </EmptyState>
        ) : query.isError ? (
          <Alert color="red" variant="light" m="md" role="alert">
            {errorMessage(query.error).detail}
          </Alert>
        ) : query.data ? (
          <FunnelResult funnel={query.data} breakdownBy={breakdown} />
        ) : (
          <LoadingState rows={steps.length + 1} label={t('Loading the funnel')} />
        )}
      </div>
    </Page>
  );
}
