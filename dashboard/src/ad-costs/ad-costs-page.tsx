import { SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { DEFAULT_PERIOD, daysOf, type OverviewState, spanOf } from '../reports/overview-state.ts';
import { PeriodSwitch } from '../reports/period-switch.tsx';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { addDays } from '../shared/days.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { useMayWrite } from '../users/rights.ts';
import {
  type By,
  costPerConversionText,
  costText,
  PerformanceTable,
  returnText,
  revenueText,
} from './performance-table.tsx';
import { performanceQuery } from './queries.ts';

/** What ads cost, compared with the conversions and the revenue of their sources and campaigns. */
export function AdCostsPage() {
  const [state, set] = useSearchState<OverviewState>();
  const [by, setBy] = useState<By>('source');
  const mayEdit = useMayWrite('analytics');
  const span = spanOf(state);
  // A link may name hours.
  const days = daysOf(span);
  const query = useQuery(performanceQuery({ ...span, from: days.from, to: addDays(days.to, 1) }, by));
  const importButton = mayEdit && (
    <>
      <IconButton icon="link" variant="default" to="/ad-costs/sources">
        {t('Ad spend sources')}
      </IconButton>
      <IconButton icon="upload" to="/ad-costs/add">
        {t('Import ad spend')}
      </IconButton>
    </>
  );
  return (
    <Page
      wide
      title={t('Ad spend')}
      description={t(
        'Cost per conversion and return on ad spend (ROAS) by source and campaign, for clicks in this period.',
      )}
      actions={
        <>
          <PeriodSwitch
            value={state.from ? '' : (state.period ?? DEFAULT_PERIOD)}
            onChange={(period) => set({ period, from: undefined, to: undefined })}
          />
          <DateRangeButton
            from={state.from && days.from}
            to={state.to && days.to}
            label={t('Custom range')}
            isDaysOnly
            onChange={(range) => set({ ...range, period: undefined })}
          />
          {importButton}
        </>
      }
    >
      <Loaded query={query}>
        {({ total, rows, more }) => (
          <>
            {rows.length > 0 && (
              <SimpleGrid cols={{ base: 2, md: 4 }}>
                {[
                  { label: t('Ad spend'), value: costText(total) },
                  { label: t('Revenue'), value: revenueText(total) },
                  { label: t('Cost per conversion'), value: costPerConversionText(total) || t('No conversions') },
                  { label: 'ROAS', value: returnText(total) },
                ].map(({ label, value }) => (
                  <div key={label} className="surface" style={{ padding: 'var(--mantine-spacing-md)' }}>
                    <Text size="sm" c="dimmed">
                      {label}
                    </Text>
                    <Text fw={600} size="lg" component="div" className="number">
                      {value}
                    </Text>
                  </div>
                ))}
              </SimpleGrid>
            )}
            <div>
              <SegmentedControl
                aria-label={t('Ad spend by')}
                mb="sm"
                value={by}
                onChange={(next) => setBy(next as By)}
                data={[
                  { value: 'source', label: t('Sources') },
                  { value: 'campaign', label: t('Campaigns') },
                ]}
              />
              <PerformanceTable
                by={by}
                rows={rows}
                empty={
                  <EmptyState icon="coins" title={t('No ad spend in this period')} action={importButton}>
                    {t(
                      'Import what your ads cost by day, source and campaign: from a CSV of the ad platform, or by API.',
                    )}
                  </EmptyState>
                }
              />
              {more && (
                <Text size="xs" c="dimmed" mt="xs">
                  {t('The {count} with the highest spend are shown.', { count: rows.length })}
                </Text>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
