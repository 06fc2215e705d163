import { type Fault, refuse } from '../../shared/errors.ts';
import { newUuid, publicId, uuidTime } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, NewCollection } from '../contract.ts';
import { shareLockLocales } from '../locales/queries.ts';
import { checkLocalized, checkTranslations, withTranslations } from '../locales/translations.ts';
import { withSystemFields } from '../ordering/system-fields.ts';
import { checkPreviewUrl } from '../previews/preview-url.ts';
import { serializeCollection } from './collection.ts';
import { checkKey } from './collection-keys.ts';
import {
  assignFieldKeys,
  assignTupleKeys,
  checkFieldsSize,
  checkPublic,
  newFieldId,
  resolveReferences,
} from './collection-rules.ts';
import { mergeCollectionSettings } from './collection-settings.ts';
import { loadComponents } from './components/queries.ts';
import { checkFieldRules } from './field-rules.ts';
import { mergeFields } from './merge-fields.ts';
import { insertCollection } from './queries.ts';
import { replaceCollectionKeys, updateReferenceFields } from './reference-fields.ts';
import { checkSlugSources } from './slug-sources.ts';

/** @param id that no other collection has @throws ApiError 400 with every fault of the fields and of the references to them */
export async function createCollection(
  tx: Tx,
  accountId: string,
  sent: NewCollection,
  now: number,
  id = newUuid(now),
): Promise<Collection> {
  const faults: Fault[] = [];
  const [stored] = await shareLockLocales(tx, { account_id: accountId });
  const locales = stored?.settings ?? null;
  const components = await loadComponents(tx, accountId);
  const own = mergeFields([], sent.fields ?? [], { newId: newFieldId, faults, components, isNewCollection: true });
  const references = resolveReferences(own, sent, { displayFieldId: null, defaultSort: null }, faults);
  checkSlugSources(own, sent.fields ?? [], faults);
  checkLocalized(sent.fields ?? [], locales, faults);
  const settings = mergeCollectionSettings(own, null, sent, faults);
  const fields = withSystemFields(withTranslations(own, [], locales), [], settings, publicId('col', id));
  checkTranslations(fields, faults);
  checkFieldsSize(fields, faults);
  checkFieldRules(own, faults);
  checkPreviewUrl(sent.previewUrl ?? null, faults);
  checkPublic(sent.publishing ?? false, sent.public ?? false, faults);
  if (sent.key != null) await checkKey(tx, accountId, id, sent.key, faults);
  refuse(faults);
  await replaceCollectionKeys(tx, accountId, fields, sent.key == null ? undefined : [sent.key, publicId('col', id)]);
  await assignFieldKeys(tx, fields, sent.publishing ?? false);
  await assignTupleKeys(tx, settings);
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
    key: sent.key ?? null,
    settings: settings && JSON.stringify(settings),
    created_at: new Date(uuidTime(id)),
  });
  if (!row) throw new Error('the collection was not inserted');
  return serializeCollection(row);
}
