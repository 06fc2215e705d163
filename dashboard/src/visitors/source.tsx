import { Badge, Group } from '@mantine/core';
import { t } from '../languages/translate.ts';

/** The source of a session on one line: `google / cpc · summer-sale`. */
export function sourceOf(of: { source: string | null; medium: string | null; campaign: string | null }): string {
  const { source, medium, campaign } = of;
  const origin = source === null ? t('Direct') : medium === null ? source : `${source} / ${medium}`;
  return campaign === null ? origin : `${origin} · ${campaign}`;
}

/** The page of a URL, as reports name it: host and path, without a slash at the end. */
export function pageOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}`.replace(/\/+$/, '') : url;
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
