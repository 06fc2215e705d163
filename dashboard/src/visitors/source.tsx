import { Badge, Group } from '@mantine/core';

/** The source of a session on one line: `google / cpc · summer-sale`. */
export function sourceOf(of: { source: string | null; medium: string | null; campaign: string | null }): string {
  const { source, medium, campaign } = of;
  const origin = source === null ? 'Direct' : medium === null ? source : `${source} / ${medium}`;
  return campaign === null ? origin : `${origin} · ${campaign}`;
}

/** A URL without its scheme and query. */
export function pageOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : url;
}

/** The types of the click IDs of a session. */
export function ClickBadges({ clickIds }: { clickIds: Record<string, string> }) {
  const types = Object.keys(clickIds);
  if (types.length === 0) return null;
  return (
    <Group gap={4} wrap="nowrap">
      {types.map((type) => (
        <Badge key={type} variant="light" size="sm">
          {type}
        </Badge>
      ))}
    </Group>
  );
}
