import type { UnmatchedReport } from '@headwater/sdk';
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { IDENTIFIERS, type Identifier } from './columns.ts';

type Reason = UnmatchedReport['identifiers'][number]['reasons'][number]['reason'];

const REASONS: Record<Reason, string> = {
  platform_never_seen:
    'No visit came with such a click id lately. Is the script on the pages that ads lead to, and does no redirect drop the parameter?',
  malformed: 'It does not have the form of a session’s hash: cut off on the way, or another tool’s id.',
  not_seen: 'No visit has it. It may still arrive, or the click was on a page without the script.',
  erased: 'Its person was erased.',
};

/** An identifier as a person calls it. */
export const nameOf = (identifier: string | null) =>
  identifier === null ? 'Erased' : (IDENTIFIERS[identifier as Identifier] ?? identifier);

interface WhyUnmatchedProps {
  range: { from: string; to: string; timeZone?: string };
  /** Whether to lead to them. */
  linked?: boolean;
}

/** How many reports of these days were not matched, by identifier, and why. Nothing where all were. */
export function WhyUnmatched({ range, linked = false }: WhyUnmatchedProps) {
  const query = useQuery({
    queryKey: ['unmatched-report', range],
    queryFn: ({ signal }) => headwater.getUnmatchedReport(range, { signal }),
  });
  return (
    <Loaded query={query} rows={3}>
      {({ total, identifiers }) =>
        total === 0 ? null : (
          <Stack className="surface" p={{ base: 'md', sm: 'lg' }} gap="md">
            <Group justify="space-between">
              <Title order={2}>Why reports were not matched</Title>
              {linked && (
                <Anchor component={Link} to="/conversions?list=unmatched" size="sm">
                  See {total === 1 ? 'it' : `all ${formatNumber(total)}`}
                </Anchor>
              )}
            </Group>
            {identifiers.flatMap(({ identifier, reasons }) =>
              reasons.map(({ reason, count }) => (
                <Group key={`${identifier} ${reason}`} gap="md" wrap="nowrap" align="baseline">
                  <Text fw={620} miw={40} ta="right" className="number">
                    {formatNumber(count)}
                  </Text>
                  <div>
                    <Text size="sm" fw={550}>
                      {nameOf(identifier)}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {REASONS[reason]}
                    </Text>
                  </div>
                </Group>
              )),
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}
