import { notGranted, readsEverything } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { SchemaView } from '../collections/collection.ts';
import { isActive } from '../collections/collection.ts';
import { useEntry } from '../entries/get-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { localizeValues, requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import { findReleases } from '../releases/queries.ts';
import type { Preview } from './contract.ts';
import type { Future } from './future.ts';
import { createPreviewToken } from './preview-token.ts';
import { previewUrlOf } from './preview-url.ts';

/** Times of later years have no form that the database reads. */
const LATEST = Date.UTC(9999, 0);

/** @throws ApiError 404 if there is no such release; 400 `time_past`, `preview_conflict` */
async function futureOf(
  { db, clock }: Deps,
  account_id: string,
  { release, at }: { release?: string; at?: string },
): Promise<Future | undefined> {
  if (release === undefined && at === undefined) return undefined;
  if (release !== undefined && at !== undefined) {
    throw badRequest('preview_conflict', 'A preview is of a release or of a time. Send `release` or `at`.');
  }
  if (release !== undefined) {
    const id = parseId('rel', release);
    const found = id === undefined ? [] : await findReleases(db, { account_id, ids: [id] });
    if (found.length === 0) throw notFound('release');
    return { releaseId: release };
  }
  const time = Math.min(parseTimestamp(at ?? '') ?? Date.parse(at ?? ''), LATEST);
  if (time < clock()) throw badRequest('time_past', 'The time of a preview must be in the future.');
  return { at: time };
}

/** The URL of an entry's draft on the site. @throws ApiError 404; 400 `preview_not_configured`, `locale_unknown` */
export function createPreview(
  deps: Deps,
  cache: SchemaView,
  accountId: string,
  path: EntryPath,
  sent: string | undefined,
  shown: { release?: string; at?: string } = {},
): Promise<Preview> {
  // Whoever has the link reads all drafts of public collections.
  if (!readsEverything(cache.access)) throw notGranted('a preview shows all drafts of public collections');
  return useEntry(deps.db, cache, accountId, path, false, async (stored, entry) => {
    const locale = await requestedLocale(deps.db, accountId, stored, sent);
    const collection = singleLocaleView(stored, locale);
    const { preview_url: template } = collection.row;
    if (!template || !collection.publishing || !collection.row.public) {
      const detail =
        'The collection has no preview URL, or is not public. Set `previewUrl`, `publishing` and `public` first.';
      throw badRequest('preview_not_configured', detail);
    }
    const future = await futureOf(deps, accountId, shown);
    const { token, expiresAt } = createPreviewToken(deps, accountId, collection.publicId, future);
    const slugField = collection.fields.find((field) => field.format === 'slug' && isActive(field));
    const id = publicId('ent', entry.id);
    const slug = slugField && (localizeValues(collection, readJson(entry.values))[slugField.id] as string | undefined);
    const values = {
      id,
      slug: slug ?? id,
      collectionId: collection.publicId,
      locale: collection.locale ?? locale ?? '',
      token,
    };
    return { url: previewUrlOf(template, values), token, expiresAt: isoTime(expiresAt) };
  });
}
