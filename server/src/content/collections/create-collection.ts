import { type Fault, refuse } from '../../shared/errors.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, NewCollection } from '../contract.ts';
import { shareLockLocales } from '../locales/queries.ts';
import { checkLocalized, checkTranslations, withTranslations } from '../locales/translations.ts';
import { checkPreviewUrl } from '../previews/preview-url.ts';
import { serializeCollection } from './collection.ts';
import { assignFieldKeys, checkFieldsSize, checkPublic, newFieldId, resolveReferences } from './collection-rules.ts';
import { checkSlugSources } from './field-formats.ts';
import { mergeFields } from './merge-fields.ts';
import { insertCollection } from './queries.ts';
import { updateReferenceFields } from './reference-fields.ts';

/** @throws ApiError 400 with every fault of the fields and of the references to them */
export async function createCollection(
  tx: Tx,
  accountId: string,
  sent: NewCollection,
  now: number,
): Promise<Collection> {
  const faults: Fault[] = [];
  const [stored] = await shareLockLocales(tx, { account_id: accountId });
  const locales = stored?.settings ?? null;
  const own = mergeFields([], sent.fields ?? [], newFieldId, faults, true);
  const references = resolveReferences(own, sent, { displayFieldId: null, defaultSort: null }, faults);
  checkSlugSources(own, sent.fields ?? [], faults);
  checkLocalized(sent.fields ?? [], locales, faults);
  const fields = withTranslations(own, [], locales);
  checkTranslations(fields, faults);
  checkFieldsSize(fields, faults);
  checkPreviewUrl(sent.previewUrl ?? null, faults);
  checkPublic(sent.publishing ?? false, sent.public ?? false, faults);
  refuse(faults);
  await assignFieldKeys(tx, fields, sent.publishing ?? false);
  const id = newUuid(now);
  await updateReferenceFields(tx, accountId, { id, fields }, []);
  const [row] = await insertCollection(tx, {
    account_id: accountId,
    id,
    name: sent.name,
    description: sent.description ?? null,
    fields: JSON.stringify(fields),
    display_field_id: references.displayFieldId,
    default_sort: references.defaultSort && JSON.stringify(references.defaultSort),
    publishing: sent.publishing ?? false,
    public: sent.public ?? false,
    preview_url: sent.previewUrl ?? null,
    review: sent.review ?? null,
    locales: own.some(({ localized }) => localized) ? JSON.stringify(locales) : null,
    created_at: new Date(uuidTime(id)),
  });
  if (!row) throw new Error('the collection was not inserted');
  return serializeCollection(row);
}
