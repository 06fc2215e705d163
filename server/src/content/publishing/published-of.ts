import { invalid } from '../../shared/errors.ts';
import { type Collection, publishedView } from '../collections/collection.ts';

/** The collection as its published entries are indexed. @throws ApiError 400 `publishing_disabled` */
export function publishedOf(collection: Collection, pointer: string): Collection {
  if (collection.publishing) return publishedView(collection);
  const detail = 'The entries of this collection have no drafts. Set `publishing` of the collection first.';
  throw invalid([{ pointer, code: 'publishing_disabled', detail }]);
}
