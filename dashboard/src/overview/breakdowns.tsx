import { SimpleGrid } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { Dimension, Filter, OverviewState, Span } from '../reports/overview-state.ts';
import { BreakdownCard } from './breakdown-card.tsx';

const CARDS: { title: string; dimensions: Dimension[] }[] = [
  { title: t('Sources'), dimensions: ['source', 'channel', 'referrer', 'platform'] },
  { title: t('Campaigns'), dimensions: ['campaign', 'medium', 'term', 'content'] },
  { title: t('Pages'), dimensions: ['landingPage', 'page', 'exitPage'] },
  { title: t('Events'), dimensions: ['event', 'funnel'] },
  { title: t('Locations'), dimensions: ['country', 'region'] },
  { title: t('Devices'), dimensions: ['device', 'browser', 'os'] },
];

interface BreakdownsProps {
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
  /** Without it, nothing can be filtered. */
  onFilter?: (filter: Filter) => void;
}

/** The cards with the top values of each dimension. */
export const Breakdowns = (props: BreakdownsProps) => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
    {CARDS.map((card) => (
      <BreakdownCard key={card.title} {...card} {...props} />
    ))}
  </SimpleGrid>
);
