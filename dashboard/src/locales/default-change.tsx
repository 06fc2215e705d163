import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { baseOf, entryLocales, isLocalized, localeName, localesQuery } from './locales.ts';

/** What changes when another locale becomes the default one. */
export function DefaultChange({ from, to }: { from: string; to: string }) {
  const { data: all } = useQuery(collectionsQuery());
  const { data: locales } = useQuery(localesQuery());
  const localized = (all ?? []).filter(isLocalized);
  if (localized.length === 0 || !locales) return null;
  const [before, next] = [localeName(from), localeName(to)];
  const bases = new Set(localized.map((each) => localeName(baseOf(entryLocales(locales, each)))));
  return (
    <Alert color="yellow" variant="light" title={t('{next} becomes the default locale', { next })}>
      <List size="sm" spacing={4}>
        <List.Item>
          {t('Sites that request no locale show {next}, and the other locales fall back to it.', { next })}
        </List.Item>
        <List.Item>
          {t('Entries that are not published in {next} disappear from them until they are. They stay in {before}.', {
            before,
            next,
          })}
        </List.Item>
        <List.Item>
          {t('No value is moved. In the API, names without a locale still stand for {base}, which cannot be removed.', {
            base: [...bases].join(', '),
          })}
        </List.Item>
        <List.Item>
          {t('It concerns {names}.', { names: localized.map(({ name }) => name).join(', ') })}{' '}
          {t('Changing back restores everything.')}
        </List.Item>
      </List>
    </Alert>
  );
}
