import type { RowOf } from '../../shared/postgres/statement.ts';
import type { Tx } from '../../shared/postgres/tx.ts';
import { type Collection, type CollectionRow, collectionOf, isActive } from '../collections/collection.ts';
import { isPublic } from '../delivery/public-view.ts';
import type { Values } from '../entries/check-values.ts';
import { baseOf, translationId } from '../locales/check-locales.ts';
import { type PublishedLocales, publishedLocalesOf } from '../locales/published-locales.ts';
import { announceCollection, type CHANGES, recordCollection } from './queries.ts';

type Change = RowOf<typeof CHANGES>;

/** What is public of an entry. */
export interface PublicState {
  values: Values;
  version: number;
  locales: PublishedLocales | null;
}

/** The slug field, unless nobody may read it. */
function publicSlugField({ fields }: Collection) {
  const field = fields.find(({ format, status }) => format === 'slug' && status === 'active');
  return field?.private ? undefined : field;
}

/**
 * The changes of an entry for those who read public content: one, or one of each locale. None if its collection is not public.
 * @param changed the locales that were published, if fields are localized
 */
export function changesOf(
  collection: Collection,
  entry_id: string,
  before: PublicState | undefined,
  after: PublicState | undefined,
  changed?: readonly string[],
): Change[] {
  if (!isPublic(collection)) return [];
  const { locales: account } = collection;
  const field = publicSlugField(collection);
  const slugOf = (state: PublicState | undefined, locale?: string): string | null => {
    if (!field || !state) return null;
    const translated = locale === undefined ? undefined : collection.byId.get(translationId(field.id, locale));
    const slug = (translated && isActive(translated) && state.values[translated.id]) ?? state.values[field.id];
    return typeof slug === 'string' ? slug : null;
  };
  const changeOf = (isPublished: boolean, locale?: string, wasPublished = before !== undefined): Change => {
    const [was, is] = [wasPublished ? slugOf(before, locale) : null, slugOf(after, locale)];
    const slug = isPublished ? is : was;
    const previous_slug = isPublished && was !== is ? was : null;
    return { entry_id, type: isPublished ? 'publish' : 'unpublish', locale: locale ?? null, slug, previous_slug };
  };
  if (account === null) return after || before ? [changeOf(after !== undefined)] : [];
  const localesOf = (state: PublicState | undefined) =>
    state ? Object.keys(publishedLocalesOf(account, asRow(state))) : [];
  const [was, is] = [localesOf(before), localesOf(after)];
  const published = is.filter((locale) => !was.includes(locale) || (changed ?? is).includes(locale));
  const unpublished = was.filter((locale) => !is.includes(locale));
  return [
    ...published.map((locale) => changeOf(true, locale, was.includes(locale))),
    ...unpublished.map((locale) => changeOf(false, locale)),
  ];
}

const asRow = ({ version, locales }: PublicState) => ({ published_version: version, published_locales: locales });

/** Records that a collection became public, or stopped being so; caches of a public one are purged after every change. */
export async function recordVisibility(
  tx: Tx,
  account_id: string,
  before: CollectionRow,
  after: CollectionRow,
  now: number,
): Promise<void> {
  const isVisible = (row: CollectionRow) => isActive(row) && isPublic(collectionOf(row));
  const collection_id = after.id;
  if (isVisible(before) || isVisible(after)) await announceCollection(tx, { account_id, collection_id, now });
  if (isVisible(before) === isVisible(after)) return;
  const collection = collectionOf(isVisible(after) ? after : before);
  const fallback_id = publicSlugField(collection)?.id ?? null;
  const account = collection.locales;
  const locales =
    account === null
      ? [{ locale: null, slug_id: fallback_id, fallback_id, is_default: true }]
      : account.locales.map(({ locale }) => ({
          locale,
          slug_id: fallback_id && translationId(fallback_id, locale),
          fallback_id,
          is_default: locale === baseOf(account),
        }));
  const type = isVisible(after) ? 'publish' : 'unpublish';
  await recordCollection(tx, { account_id, collection_id: collection.id, type, locales, now });
}
