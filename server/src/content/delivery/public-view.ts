import { notFound } from '../../shared/errors.ts';
import { type Collection, fieldsById, publishedView } from '../collections/collection.ts';
import { everyField, mapFields } from '../collections/field.ts';

export const isPublic = ({ publishing, row }: Collection) => publishing && row.public;

/**
 * A public collection as everyone sees it: its published entries, and private fields like deleted ones, which cannot be read,
 * filtered, searched or sorted by.
 * @throws ApiError 404 if the collection is not public
 */
export const publicView = remembered((collection) => ({
  ...withoutPrivate(publishedView(collection)),
  isPublic: true,
}));

/** The same of its drafts, for previews. */
export const draftView = remembered(withoutPrivate);

function remembered(viewOf: (collection: Collection) => Collection): (collection: Collection) => Collection {
  const views = new WeakMap<Collection, Collection>();
  return (collection) => {
    if (!isPublic(collection)) throw notFound('public collection');
    const view = views.get(collection) ?? viewOf(collection);
    views.set(collection, view);
    return view;
  };
}

function withoutPrivate(collection: Collection): Collection {
  const all = everyField(collection.fields);
  const fields = mapFields(collection.fields, (field) => (field.private ? { ...field, status: 'deleted' } : field));
  const byId = fieldsById(fields);
  const sort = collection.row.default_sort;
  const default_sort = sort && byId.get(sort.fieldId)?.private ? null : sort;
  const hasDeletedFields = collection.hasDeletedFields || all.some((field) => field.private);
  return { ...collection, row: { ...collection.row, fields, default_sort }, fields, byId, hasDeletedFields };
}
