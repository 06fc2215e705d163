import { Button, Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import classes from '../reports/line-chart.module.css';
import { filterParams, type OverviewState, type Span } from '../reports/overview-state.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { formatNumber } from '../shared/formats.ts';
import { lazy } from '../shared/lazy.tsx';
import { Loaded } from '../shared/states.tsx';
import { valueText } from './property-value.ts';

const EventPropertiesDialog = lazy(async () => ({
  default: (await import('./event-properties-dialog.tsx')).EventPropertiesDialog,
}));

const SHOWN = 8;
/** What identifies a person, a session or a click. */
const IDENTIFYING =
  /e-?mail|phone|name$|address|(?:user|customer|visitor|session|visit)_?(?:id|hash)|^hash|shorthash|clid$|birth/i;
const MAX_EVENTS = 100;

interface EventPropertiesCardProps {
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
}

/** The values of a property of an event, by frequency; nothing without events. */
export function EventPropertiesCard({ range, filters }: EventPropertiesCardProps) {
  const [chosenEvent, setEvent] = useState<string | null>(null);
  const [chosenProperty, setProperty] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const selection = { ...range, ...filterParams(filters) };
  const events = useQuery({
    queryKey: ['breakdown', 'event', 'events', range, filters, MAX_EVENTS],
    queryFn: ({ signal }) =>
      headwater.getBreakdown({ ...selection, by: 'event', order: 'events', limit: MAX_EVENTS }, { signal }),
    placeholderData: keepPreviousData,
  });
  const names = (events.data?.breakdowns.event?.rows ?? []).flatMap(({ value }) => value ?? []);
  const event = chosenEvent !== null && names.includes(chosenEvent) ? chosenEvent : names[0];
  const known = useQuery({
    queryKey: ['event properties', event, range, filters],
    enabled: event !== undefined,
    queryFn: ({ signal }) => headwater.getEventProperties({ ...selection, event: event ?? '' }, { signal }),
  });
  const properties = known.data?.properties ?? [];
  // Funnels have a card of their own, and what identifies somebody is shown only to who chooses it.
  const usual = properties.find((name) => name !== 'funnel_id' && !IDENTIFYING.test(name));
  const property = chosenProperty !== null && properties.includes(chosenProperty) ? chosenProperty : usual;
  const query = useQuery({
    queryKey: ['event properties', event, range, filters, property],
    enabled: event !== undefined && property !== undefined,
    queryFn: ({ signal }) =>
      headwater.getEventProperties(
        { ...selection, event: event ?? '', property: property ?? '', limit: SHOWN },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  if (events.data && event === undefined) return null;
  return (
    <Card
      title={t('Event properties')}
      controls={
        <Group gap="xs">
          <Select
            aria-label={t('Event')}
            size="xs"
            w={170}
            searchable
            data={names}
            value={event ?? null}
            onChange={setEvent}
            allowDeselect={false}
          />
          <Select
            aria-label={t('Property')}
            size="xs"
            w={170}
            searchable
            data={properties}
            value={property ?? null}
            onChange={setProperty}
            allowDeselect={false}
            disabled={properties.length === 0}
          />
        </Group>
      }
    >
      {known.data && property === undefined ? (
        <Text size="sm" c="dimmed" py="sm">
          {properties.length === 0 ? t('This event has no properties in this period.') : t('Choose a property.')}
        </Text>
      ) : (
        <Loaded query={query} rows={5}>
          {({ rows, more }) => (
            <div>
              {rows.map(({ value, events: count, sessions }) => (
                <div
                  key={value === null ? 'null' : `=${value}`}
                  className={classes.row}
                  title={t('{sessions} sessions', { sessions: formatNumber(sessions) })}
                >
                  <span
                    className={classes.bar}
                    style={{ width: `${(count / Math.max(rows[0]?.events ?? 1, 1)) * 100}%` }}
                  />
                  <Text size="sm" className={classes.value} dir="auto">
                    {valueText(value)}
                  </Text>
                  <Text size="sm" fw={550} className={`${classes.value} number`}>
                    {formatNumber(count)}
                  </Text>
                </div>
              ))}
              <Button variant="subtle" size="compact-xs" mt={4} onClick={() => setIsOpen(true)}>
                {more ? t('View all') : t('Details')}
              </Button>
            </div>
          )}
        </Loaded>
      )}
      <Suspense>
        {isOpen && event !== undefined && property !== undefined && (
          <EventPropertiesDialog
            event={event}
            property={property}
            selection={selection}
            onClose={() => setIsOpen(false)}
          />
        )}
      </Suspense>
    </Card>
  );
}
