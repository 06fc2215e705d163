import type { UnmatchedReport } from '@headwater/sdk';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { IDENTIFIERS, type Identifier } from './columns.ts';

type Reason = UnmatchedReport['identifiers'][number]['reasons'][number]['reason'];

const REASONS: Record<Reason, string> = {
  platform_never_seen: t(
    'No recent visit had such a click ID. Check that the script is on your landing pages and that no redirect drops the parameter.',
  ),
  malformed: t('Not a valid session hash: it was truncated, or is the ID of another tool.'),
  not_seen: t('No visit has this value. The visit may still arrive, or the landing page has no script.'),
  erased: t('The personal data was erased.'),
};

export const identifierLabel = (identifier: string | null) =>
  identifier === null ? t('Erased') : (IDENTIFIERS[identifier as Identifier] ?? identifier);

interface UnmatchedSummaryProps {
  range: { from: string; to: string; timeZone?: string };
  isUnfiltered?: boolean;
  /** Links to the list. */
  isLinked?: boolean;
}

/** How many conversions of these days are unmatched, by identifier and reason. Renders nothing if all are matched. */
export function UnmatchedSummary({ range, isUnfiltered, isLinked = false }: UnmatchedSummaryProps) {
  const query = useQuery({
    queryKey: ['unmatched-report', range],
    queryFn: ({ signal }) => headwater.getUnmatchedReport(range, { signal }),
  });
  return (
    <Loaded query={query} rows={3}>
      {({ total, identifiers }) =>
        total === 0 ? null : (
          <Card
            title={t('Unmatched conversions')}
            isUnfiltered={isUnfiltered}
            controls={
              isLinked && (
                <TextLink to="/conversions?list=unmatched">
                  {t('View all {total}', { total: formatNumber(total) })}
                </TextLink>
              )
            }
          >
            {identifiers.flatMap(({ identifier, reasons }) =>
              reasons.map(({ reason, count }) => (
                <Group key={`${identifier} ${reason}`} gap="md" wrap="nowrap" align="baseline">
                  <Text fw={620} miw={40} ta="right" className="number">
                    {formatNumber(count)}
                  </Text>
                  <div>
                    <Text size="sm" fw={550}>
                      {identifierLabel(identifier)}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {REASONS[reason]}
                    </Text>
                  </div>
                </Group>
              )),
            )}
          </Card>
        )
      }
    </Loaded>
  );
}
