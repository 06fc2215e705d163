import type { Collection, Entry } from '@headwater/sdk';
import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type EntryLocales, localeName, localeState } from './locales.ts';

interface LocaleStatesProps {
  collection: Collection;
  locales: EntryLocales;
  entry: Entry;
  /** The locales to publish or unpublish; none: all. */
  chosen: readonly string[];
  /** undefined: they cannot be chosen. */
  onChoose: ((locales: string[]) => void) | undefined;
}

/** What is published of an entry in each locale, and the choice of those that the next action is about. */
export function LocaleStates({ collection, locales, entry, chosen, onChoose }: LocaleStatesProps) {
  const { collectionId, id: entryId, version, publishedAt = null } = entry;
  const { data: published } = useQuery({
    queryKey: ['published entry', collectionId, entryId, version, publishedAt, entry.publishedLocales],
    queryFn: ({ signal }) => headwater.getEntry({ collectionId, entryId, state: 'published' }, { signal }),
    enabled: publishedAt !== null,
    gcTime: 0,
  });
  return (
    <Checkbox.Group value={[...chosen]} onChange={(next) => onChoose?.(next)} aria-label={t('Locales')} mt="sm">
      <Group gap="lg">
        {locales.locales.map(({ locale }) => {
          const { label, color } = localeState(collection, locales, locale, entry, published);
          return (
            <Group key={locale} gap={6}>
              {onChoose ? (
                <Checkbox size="xs" value={locale} label={localeName(locale)} />
              ) : (
                <Text size="sm">{localeName(locale)}</Text>
              )}
              <Badge variant="light" size="sm" color={color}>
                {label}
              </Badge>
            </Group>
          );
        })}
      </Group>
      {onChoose && (
        <Text size="xs" c="dimmed" mt={6}>
          {chosen.length === 0
            ? t('All translated locales are published together. Select locales to publish or unpublish only these.')
            : t('Only the selected locales are published, unpublished or scheduled.')}
        </Text>
      )}
    </Checkbox.Group>
  );
}
