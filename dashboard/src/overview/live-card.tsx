import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatAgo, formatNumber, formatTime } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { labelOfValue } from './dimension-labels.ts';
import classes from './line-chart.module.css';

const SHOWN = 8;

/** Who is there, and what is being done. Asked again only while somebody looks. */
export function LiveCard() {
  const query = useQuery({
    queryKey: ['live'],
    queryFn: ({ signal }) => headwater.getLive({ signal }),
    refetchInterval: 4_000,
  });
  return (
    <Stack className="surface" p="md" gap={4}>
      <Loaded query={query} rows={5}>
        {({ visitors, latest }) => (
          <>
            <Group justify="space-between">
              <Title order={2}>Now</Title>
              <Text size="sm" aria-live="polite">
                <b className="number">{formatNumber(visitors)}</b> {visitors === 1 ? 'visitor' : 'visitors'} in five
                minutes
              </Text>
            </Group>
            {latest.length === 0 && (
              <Text size="sm" c="dimmed" py="sm">
                Nothing has happened yet.
              </Text>
            )}
            {latest.slice(0, SHOWN).map((item) => (
              <Group key={item.id} justify="space-between" wrap="nowrap" px={10} className={classes.row}>
                <Text size="sm" truncate className={classes.value}>
                  {item.kind === 'visit' ? (item.page ?? '') : <b>{item.event}</b>}
                  <Text span size="sm" c="dimmed">
                    {' · '}
                    {[
                      item.source ?? 'Direct',
                      item.country && labelOfValue('country', item.country),
                      item.isBot && 'bot',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </Text>
                {item.sessionId === null ? (
                  <Text size="xs" c="dimmed" title={formatTime(item.at)} style={{ whiteSpace: 'nowrap' }}>
                    {formatAgo(item.at)}
                  </Text>
                ) : (
                  <Anchor
                    component={Link}
                    to={`/sessions/${item.sessionId}`}
                    size="xs"
                    title={formatTime(item.at)}
                    style={{ whiteSpace: 'nowrap' }}
                  >
                    {formatAgo(item.at)}
                  </Anchor>
                )}
              </Group>
            ))}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
