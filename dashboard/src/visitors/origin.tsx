import { Badge, Group, Text } from '@mantine/core';

/** Where a session came from, in a line: `google / cpc · summer-sale`. */
export function originOf(of: { source: string | null; medium: string | null; campaign: string | null }): string {
  const { source, medium, campaign } = of;
  const place = source === null ? 'Direct' : medium === null ? source : `${source} / ${medium}`;
  return campaign === null ? place : `${place} · ${campaign}`;
}

/** An address without its scheme and query. */
export function pageOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : url;
}

/** The kinds of click ids that a session came with. */
export function ClickBadges({ clickIds }: { clickIds: Record<string, string> }) {
  return (
    <Group gap={4} wrap="nowrap">
      {Object.keys(clickIds).map((kind) => (
        <Badge key={kind} variant="light" size="sm" tt="none">
          {kind}
        </Badge>
      ))}
    </Group>
  );
}

export function Muted({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" truncate>
      {children}
    </Text>
  );
}
