import type { Entry } from '@headwater/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { headwater } from '../service/session.ts';
import { Loaded } from '../shared/states.tsx';

interface PreviewPaneProps {
  entry: Entry;
  /** The values of the form, also those that are not saved. */
  values: Record<string, unknown>;
  /** If fields are localized: the locale of the preview and of the values. */
  locale: string | undefined;
  onClose: () => void;
}

/** Before the token expires, which is an hour old then. */
const RENEW_MS = 50 * 60_000;

/** The site's page of an entry, loaded again when the entry is saved. It receives the values that are not saved yet. */
export default function PreviewPane({ entry, values, locale, onClose }: PreviewPaneProps) {
  const { collectionId, id: entryId, version } = entry;
  const query = useQuery({
    queryKey: ['preview', collectionId, entryId, version, locale],
    queryFn: () => headwater.createPreview({ collectionId, entryId, ...(locale !== undefined && { locale }) }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    gcTime: 0,
  });
  const frame = useRef<HTMLIFrameElement>(null);
  const url = query.data?.url;
  const text = JSON.stringify(values);
  const send = () => {
    if (url === undefined) return;
    const message = { type: 'headwater:preview', entryId, collectionId, locale, values: JSON.parse(text) };
    frame.current?.contentWindow?.postMessage(message, new URL(url).origin);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent when the values change, and by `onLoad`
  useEffect(send, [text]);
  return (
    <section className="surface" aria-label="Preview" style={{ padding: 'var(--mantine-spacing-sm)' }}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={550}>
          Preview
        </Text>
        <Group gap="xs">
          {url && (
            <Button component="a" href={url} target="_blank" rel="noreferrer" variant="subtle" size="compact-sm">
              Open in a new tab
            </Button>
          )}
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
            Close preview
          </Button>
        </Group>
      </Group>
      <Loaded query={query}>
        {(preview) => (
          <iframe
            key={preview.url}
            ref={frame}
            src={preview.url}
            title="Preview of the entry"
            // The site keeps its origin, but cannot navigate the dashboard.
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
            referrerPolicy="no-referrer"
            onLoad={send}
            style={{ width: '100%', height: '70vh', border: 0, background: '#fff' }}
          />
        )}
      </Loaded>
    </section>
  );
}
