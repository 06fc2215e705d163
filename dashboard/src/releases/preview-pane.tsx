import type { Entry, Field } from '@headwater/sdk';
import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { MINUTE } from '../../../server/src/shared/units.ts';
import type { FieldTarget } from '../content/field-target.ts';
import { t } from '../languages/translate.ts';
import { type EntryLocales, localeName, valuesIn } from '../locales/locales.ts';
import { headwater } from '../service/session.ts';
import { Loaded } from '../shared/states.tsx';
import { htmlOf } from './preview-html.ts';

interface PreviewPaneProps {
  entry: Entry;
  fields: readonly Field[];
  /** The values of the form, also those that are not saved. */
  values: Record<string, unknown>;
  /** If fields are localized. */
  locales: EntryLocales | undefined;
  /** If fields are localized: which locale is shown first. */
  locale: string | undefined;
  /** A text of the entry was clicked in the preview. */
  onEdit: (target: FieldTarget) => void;
  onClose: () => void;
}

/** Before the token expires, which is an hour old then. */
const RENEW_MS = 50 * MINUTE;
/** A collection and an entry. */
const IDS = /^col_\w+\/ent_\w+$/;

/**
 * The site's page of an entry, loaded again when the entry is saved. It receives the values that are not saved yet, and says which text was
 * clicked.
 */
export default function PreviewPane(props: PreviewPaneProps) {
  const { entry, fields, values, locales, locale: first, onEdit, onClose } = props;
  const { collectionId, id: entryId, version } = entry;
  const [locale, choose] = useState(first);
  const query = useQuery({
    queryKey: ['preview', collectionId, entryId, version, locale],
    queryFn: () => headwater.createPreview({ collectionId, entryId, ...(locale !== undefined && { locale }) }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    gcTime: 0,
  });
  const navigate = useNavigate();
  const frame = useRef<HTMLIFrameElement>(null);
  const url = query.data?.url;
  const site = url && new URL(url).origin;
  const text = JSON.stringify(values);
  const send = () => {
    if (!site) return;
    const shown = locales && locale !== undefined ? valuesIn(locales, locale, fields, values) : values;
    const message = { type: 'headwater:preview', entryId, collectionId, locale, values: shown, html: htmlOf(shown) };
    frame.current?.contentWindow?.postMessage(message, site);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent when the values change, and by `onLoad`
  useEffect(send, [text]);
  const receive = useRef<(event: MessageEvent) => void>(undefined);
  receive.current = ({ source, origin, data }) => {
    if (source === null || source !== frame.current?.contentWindow || origin !== site) return;
    if (data?.type === 'headwater:ready') send();
    if (data?.type !== 'headwater:edit' || typeof data.field !== 'string') return;
    const target = { field: data.field, locale: typeof data.locale === 'string' ? data.locale : undefined };
    if (data.entryId === entryId) onEdit(target);
    else if (IDS.test(`${data.collectionId}/${data.entryId}`)) {
      void navigate({ to: `/content/${data.collectionId}/${data.entryId}`, search: target as never });
    }
  };
  useEffect(() => {
    const listener = (event: MessageEvent) => receive.current?.(event);
    window.addEventListener('message', listener);
    return () => window.removeEventListener('message', listener);
  }, []);
  return (
    <section className="surface" aria-label={t('Preview')} style={{ padding: 'var(--mantine-spacing-sm)' }}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={550}>
          {t('Preview')}
        </Text>
        <Group gap="xs">
          {locales && locale !== undefined && (
            <Select
              size="xs"
              w={150}
              aria-label={t('Locale of the preview')}
              data={locales.locales.map((each) => ({ value: each.locale, label: localeName(each.locale) }))}
              value={locale}
              onChange={(next) => choose(next ?? undefined)}
              allowDeselect={false}
            />
          )}
          {url && (
            <Button component="a" href={url} target="_blank" rel="noreferrer" variant="subtle" size="compact-sm">
              {t('Open in a new tab')}
            </Button>
          )}
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
            {t('Close preview')}
          </Button>
        </Group>
      </Group>
      <Loaded query={query}>
        {(preview) => (
          <iframe
            key={preview.url}
            ref={frame}
            src={preview.url}
            title={t('Preview of the entry')}
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
