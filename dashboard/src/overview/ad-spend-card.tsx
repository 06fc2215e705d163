import { Anchor, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type By, PerformanceTable } from '../ad-costs/performance-table.tsx';
import { performanceQuery } from '../ad-costs/queries.ts';
import { t } from '../languages/translate.ts';
import { daysOf, hasWholeDays, type Span } from '../reports/overview-state.ts';
import { Card } from '../shared/card.tsx';

const SHOWN = 8;

/** Ad spend in the period and its results; nothing if no ad spend was imported for it, or it has no whole days. */
export function AdSpendCard({
  range,
  isUnfiltered,
}: {
  range: Omit<Span, 'interval' | 'compare'>;
  isUnfiltered: boolean;
}) {
  const [by, setBy] = useState<By>('source');
  const { data } = useQuery({ ...performanceQuery(range, by), enabled: hasWholeDays(range) });
  if (!isUnfiltered || !hasWholeDays(range) || !data || data.rows.length === 0) return null;
  return (
    <Card
      title={t('Ad spend')}
      note={t('Conversions and revenue from clicks in this period, including later conversions.')}
      controls={
        <Anchor component={Link} to={`/ad-costs?${new URLSearchParams(daysOf(range))}`} size="sm">
          {t('View all')}
        </Anchor>
      }
    >
      <SegmentedControl
        size="xs"
        aria-label={t('Ad spend by')}
        value={by}
        onChange={(next) => setBy(next as By)}
        data={[
          { value: 'source', label: t('Sources') },
          { value: 'campaign', label: t('Campaigns') },
        ]}
      />
      <PerformanceTable by={by} rows={data.rows.slice(0, SHOWN)} isBare />
    </Card>
  );
}
