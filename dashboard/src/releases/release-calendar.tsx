import type { Release } from '@headwater/sdk';
import { ActionIcon, Box, Group, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useState } from 'react';
import { LOCALE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { Card } from '../shared/card.tsx';
import { formatDay, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { CALENDAR_FORMATS, GREGORIAN } from '../shared/locale.ts';
import { instantOf, wallTimeOf } from '../shared/wall-time.ts';
import { MAX_SHOWN, releasesQuery, releaseTitle } from './queries.ts';
import classes from './releases.module.css';
import { STATUS_COLORS, STATUS_LABELS } from './status.ts';

const today = () => wallTimeOf(new Date().toISOString()).slice(0, 10);
const monthName = (month: string) =>
  new Intl.DateTimeFormat(LOCALE, { ...GREGORIAN, month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Scheduled and published releases, month by month. */
export function ReleaseCalendar({ onOpen }: { onOpen: (release: Release) => void }) {
  const [month, setMonth] = useState(() => today().slice(0, 7));
  const first = dayjs(`${month}-01`);
  const start = first.subtract((first.day() + 7 - CALENDAR_FORMATS.firstDayOfWeek) % 7, 'day');
  const days = Array.from({ length: 42 }, (_, i) => start.add(i, 'day').format('YYYY-MM-DD'));
  const end = start.add(42, 'day').format('YYYY-MM-DD');
  const { data = [] } = useQuery(releasesQuery({ from: instantOf(days[0] ?? ''), to: instantOf(end) }));
  const shown = data.filter(({ status }) => status !== 'canceled');
  const dueOn = (day: string) => shown.filter(({ at }) => at !== null && wallTimeOf(at).startsWith(day));
  const move = (months: number) => setMonth(first.add(months, 'month').format('YYYY-MM'));
  return (
    <Card title={t('Calendar')}>
      <Group gap="xs" mb="sm">
        <ActionIcon variant="default" aria-label={t('Previous month')} onClick={() => move(-1)}>
          <Icon name="left" size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('Next month')} onClick={() => move(1)}>
          <Icon name="right" size={16} />
        </ActionIcon>
        <Title order={3} size="h4">
          {monthName(month)}
        </Title>
      </Group>
      <ol className={classes.month} aria-label={monthName(month)}>
        {days.slice(0, 7).map((day) => (
          <li key={`weekday of ${day}`} className={classes.weekday} aria-hidden>
            {CALENDAR_FORMATS.weekdayFormat(day)}
          </li>
        ))}
        {days.map((day) => {
          const due = dueOn(day);
          const names = [classes.day, !day.startsWith(month) && classes.outside, due.length === 0 && classes.empty];
          return (
            <li
              key={day}
              className={names.filter(Boolean).join(' ')}
              {...(day === today() && { 'aria-current': 'date' })}
            >
              <Text size="xs" c="dimmed" title={formatDay(day)}>
                <span className={classes.weekdayOfDay}>{CALENDAR_FORMATS.weekdayFormat(day)} </span>
                <span className={day === today() ? classes.today : undefined}>{Number(day.slice(8))}</span>
              </Text>
              {due.map((release) => (
                <UnstyledButton key={release.id} className={classes.item} onClick={() => onOpen(release)}>
                  <Box
                    component="span"
                    role="img"
                    className={classes.dot}
                    bg={`${STATUS_COLORS[release.status]}.6`}
                    aria-label={STATUS_LABELS[release.status]}
                  />
                  {formatTime(release.at ?? '')} {releaseTitle(release)}
                </UnstyledButton>
              ))}
            </li>
          );
        })}
      </ol>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.none}>
          {t('No releases in this month.')}
        </Text>
      )}
      {data.length === MAX_SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('Only the first {maxShown} releases are shown.', { maxShown: MAX_SHOWN })}
        </Text>
      )}
    </Card>
  );
}
