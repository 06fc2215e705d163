import { notFound } from '../../shared/errors.ts';
import { type Collection, publishedView } from '../collections/collection.ts';

const views = new WeakMap<Collection, Collection>();

/**
 * A public collection as everyone sees it: its published entries, and private fields like deleted ones, which cannot be read,
 * filtered, searched or sorted by.
 * @throws ApiError 404 if the collection is not public
 */
export function publicView(collection: Collection): Collection {
  if (!collection.publishing || !collection.row.public) throw notFound('collection');
  const known = views.get(collection);
  if (known) return known;
  const published = publishedView(collection);
  const fields = published.fields.map((field) => (field.private ? { ...field, status: 'deleted' as const } : field));
  const byId = new Map(fields.map((field) => [field.id, field]));
  const sort = published.row.default_sort;
  const default_sort = sort && byId.get(sort.fieldId)?.private ? null : sort;
  const hasDeletedFields = published.hasDeletedFields || fields.some((field) => field.private);
  const view = { ...published, row: { ...published.row, fields, default_sort }, fields, byId, hasDeletedFields };
  views.set(collection, view);
  return view;
}
