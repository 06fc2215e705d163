import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { valueLabel } from '../reports/dimension-labels.ts';
import classes from '../reports/line-chart.module.css';
import { Card } from '../shared/card.tsx';
import { formatDateTime, formatRelativeTime } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { liveQuery } from './live-query.ts';

const SHOWN = 8;

/** Current visitors and the latest activity, whenever that was. Polls only while the card is visible. */
export function LiveCard({ isUnfiltered }: { isUnfiltered: boolean }) {
  const query = useQuery(liveQuery());
  return (
    <Loaded query={query} rows={5}>
      {({ visitors, latest }) => (
        <Card
          title={t('Latest activity')}
          isUnfiltered={isUnfiltered}
          controls={
            <Text size="sm" aria-live="polite">
              {rich('{count, plural, one {<b>#</b> visitor} other {<b>#</b> visitors}} in the last 5 minutes', {
                count: visitors,
                b: (text) => <b className="number">{text}</b>,
              })}
            </Text>
          }
        >
          <div>
            {latest.length === 0 && (
              <Text size="sm" c="dimmed" py="sm">
                {t('No activity yet.')}
              </Text>
            )}
            {latest.slice(0, SHOWN).map((item) => (
              <Group key={item.id} justify="space-between" wrap="nowrap" px={10} className={classes.row}>
                <Text size="sm" truncate className={classes.value}>
                  {item.type === 'visit' ? (item.page ?? '') : <b>{item.event}</b>}
                  <Text span size="sm" c="dimmed">
                    {' · '}
                    {[
                      item.source ?? t('Direct'),
                      item.country && valueLabel('country', item.country),
                      item.isBot && 'bot',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </Text>
                <Text size="xs" c="dimmed" title={formatDateTime(item.at)} style={{ whiteSpace: 'nowrap' }}>
                  {item.sessionId === null ? (
                    formatRelativeTime(item.at)
                  ) : (
                    <TextLink to={`/sessions/${item.sessionId}`}>{formatRelativeTime(item.at)}</TextLink>
                  )}
                </Text>
              </Group>
            ))}
          </div>
        </Card>
      )}
    </Loaded>
  );
}
