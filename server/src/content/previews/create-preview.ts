import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { isActive } from '../collections/collection.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { useEntry } from '../entries/get-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { localizeValues, requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import type { Preview } from './contract.ts';
import { createPreviewToken } from './preview-token.ts';
import { previewUrlOf } from './preview-url.ts';

/** The URL of an entry's draft on the site. @throws ApiError 404; 400 `preview_not_configured`, `locale_unknown` */
export function createPreview(
  deps: Deps,
  cache: CollectionCache,
  accountId: string,
  path: EntryPath,
  sent: string | undefined,
): Promise<Preview> {
  return useEntry(deps.db, cache, accountId, path, false, async (stored, entry) => {
    const locale = await requestedLocale(deps.db, accountId, stored, sent);
    const collection = singleLocaleView(stored, locale);
    const { preview_url: template } = collection.row;
    if (!template || !collection.publishing || !collection.row.public) {
      const detail =
        'The collection has no preview URL, or is not public. Set `previewUrl`, `publishing` and `public` first.';
      throw badRequest('preview_not_configured', detail);
    }
    const { token, expiresAt } = createPreviewToken(deps, accountId, collection.publicId);
    const slugField = collection.fields.find((field) => field.format === 'slug' && isActive(field));
    const id = publicId('ent', entry.id);
    const slug =
      slugField && (localizeValues(collection, JSON.parse(entry.values))[slugField.id] as string | undefined);
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
