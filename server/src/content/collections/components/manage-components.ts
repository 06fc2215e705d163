import { badRequest, type Fault, invalid, notFound, refuse } from '../../../shared/errors.ts';
import { newUuid, parseId, publicId, uuidTime } from '../../../shared/ids.ts';
import type { Tx } from '../../../shared/postgres/database.ts';
import { templatesOf } from '../../entries/computed-values.ts';
import { LIMITS } from '../../limits.ts';
import { localesOfCollection } from '../../locales/check-locales.ts';
import { shareLockLocales } from '../../locales/queries.ts';
import { checkTranslations, withTranslations } from '../../locales/translations.ts';
import { type CollectionRow, isOwn, serializeField } from '../collection.ts';
import { checkFieldsSize, newFieldId } from '../collection-rules.ts';
import type { Field, NestedField } from '../field.ts';
import { checkFieldRules } from '../field-rules.ts';
import { mergeNestedFields } from '../merge-fields.ts';
import { replaceFields } from '../queries.ts';
import { refuseUnknownCollections, replaceCollectionKeys } from '../reference-fields.ts';
import { recompute } from '../reindex-entries.ts';
import { MAX_ROWS_IN_REQUEST, replaceFieldIndex } from '../update-collection.ts';
import type { Component, ComponentChange, NewComponent } from './contract.ts';
import { refuseDataLoss } from './data-loss.ts';
import { type Components, componentsOf, refill } from './fill-fields.ts';
import {
  byPublicId,
  type ComponentRow,
  countComponents,
  deleteComponentRow,
  findComponents,
  insertComponent,
  lockCollectionsWith,
  lockComponents,
  shareLockComponents,
  updateComponentRow,
} from './queries.ts';

/** @param id that no other component has @throws ApiError 400 with every fault, `key_taken` */
export async function createComponent(
  tx: Tx,
  account_id: string,
  sent: NewComponent,
  now: number,
  id = newUuid(now),
): Promise<Component> {
  const faults: Fault[] = [];
  const [counted] = await countComponents(tx, { account_id });
  if ((counted?.count ?? 0) >= LIMITS.components) {
    throw badRequest('too_many', `An account has at most ${LIMITS.components} components.`);
  }
  const rows = await shareLockComponents(tx, { account_id });
  const components = byPublicId(rows);
  const fields = mergeNestedFields([], sent.fields, { newId: newFieldId, faults, components, isNewCollection: true });
  if (fields.length === 0) faults.push({ pointer: '/fields', code: 'fields_required', detail: NEEDS_FIELDS });
  checkFieldsSize(fields as Field[], faults);
  checkFieldRules(fields, faults);
  refuse(faults);
  await checkReferences(tx, account_id, fields);
  const { name, key = null } = sent;
  const stored = JSON.stringify(unfilled(fields));
  const [row] = await insertComponent(tx, {
    account_id,
    id,
    key,
    name,
    fields: stored,
    created_at: new Date(uuidTime(id)),
  });
  if (!row) throw keyTaken(sent.key ?? '');
  return serializeComponent(row, components);
}

const NEEDS_FIELDS = 'A component needs at least one of its fields.';

interface ChangedComponent {
  component: Component;
  /** Whether the index of new fields was left to the worker. */
  needsBackfill: boolean;
}

/**
 * Changes a component, and with it every collection that has it.
 * @throws ApiError 404; 400 with every fault, `component_cycle`, `key_taken`, `data_loss`
 */
export async function updateComponent(
  tx: Tx,
  account_id: string,
  componentId: string,
  sent: ComponentChange,
  now: number,
): Promise<ChangedComponent> {
  // In the order of changes of collections.
  const [locales] = await shareLockLocales(tx, { account_id });
  const rows = await lockComponents(tx, { account_id });
  const before = rows.find(({ id }) => publicId('cmp', id) === componentId);
  if (!before) throw notFound('component');
  const { key = before.key, name = before.name } = sent;
  if (key !== null && rows.some((row) => row.key === key && row.id !== before.id)) throw keyTaken(key);
  const faults: Fault[] = [];
  const components = byPublicId(rows);
  const options = { newId: newFieldId, faults, components };
  const filled = mergeNestedFields(before.fields, sent.fields ?? [], options);
  checkFieldsSize(filled as Field[], faults);
  checkFieldRules(filled, faults);
  refuse(faults);
  await checkReferences(tx, account_id, filled);
  const fields = unfilled(filled);
  const changed: Components = new Map([...components, [componentId, { id: componentId, name, fields }]]);
  if (reaches(fields, componentId, changed)) {
    throw invalid([{ pointer: '/fields', code: 'component_cycle', detail: `"${name}" would contain itself.` }]);
  }
  const values = { account_id, id: before.id, key, name, fields: JSON.stringify(fields), now: new Date(now) };
  const [row] = await updateComponentRow(tx, values);
  if (!row) throw new Error('a locked component disappeared');
  let needsBackfill = false;
  if (sent.fields) {
    const using = await collectionsUsing(tx, account_id, componentId, changed);
    const refilled = using.map((collection) => {
      const fault = (code: string, detail: string) =>
        faults.push({ pointer: '/fields', code, detail: `In the collection "${collection.name}": ${detail}` });
      const former = collection.fields.filter(isOwn);
      const own = refill(former, changed, fault);
      for (const { code, detail } of newRuleFaults(former, own)) fault(code, detail);
      const after = withTranslations(
        own,
        collection.fields,
        localesOfCollection(collection.locales, locales?.settings ?? null),
      );
      checkTranslations(after, faults);
      checkFieldsSize(after, faults);
      return { collection, after };
    });
    refuse(faults);
    if (!sent.allowDataLoss) {
      const changes = refilled.map(({ collection: { id, name, fields }, after }) => ({
        id,
        name,
        before: fields,
        after,
      }));
      await refuseDataLoss(tx, account_id, changes);
    }
    const maxRows = Math.floor(MAX_ROWS_IN_REQUEST / Math.max(1, using.length));
    for (const { collection, after } of refilled) {
      if (await replaceFieldIndex(tx, account_id, collection, after, collection.publishing, maxRows))
        needsBackfill = true;
      await replaceFields(tx, { account_id, id: collection.id, fields: JSON.stringify(after) });
      if (templatesOf(collection.fields) === templatesOf(after)) continue;
      if (await recompute(tx, account_id, collection.id, collection.publishing)) needsBackfill = true;
    }
  }
  return { component: serializeComponent(row, changed), needsBackfill };
}

/** @throws ApiError 404; 400 `component_in_use` */
export async function deleteComponent(tx: Tx, account_id: string, componentId: string): Promise<Component> {
  const rows = await lockComponents(tx, { account_id });
  const row = rows.find(({ id }) => publicId('cmp', id) === componentId);
  if (!row) throw notFound('component');
  const components = byPublicId(rows);
  const others = rows
    .filter((each) => componentsOf(each.fields).has(componentId))
    .map(({ name }) => `component "${name}"`);
  const using = (await collectionsUsing(tx, account_id, componentId, components)).map(
    ({ name }) => `collection "${name}"`,
  );
  const users = [...others, ...using];
  if (users.length > 0) {
    const detail = `The component "${row.name}" is used by the ${users.slice(0, 10).join(', the ')}${users.length > 10 ? ` and ${users.length - 10} more` : ''}.`;
    throw badRequest('component_in_use', detail);
  }
  await deleteComponentRow(tx, { account_id, id: row.id });
  return serializeComponent(row, components);
}

/** @throws ApiError 404 */
export async function getComponent(tx: Tx, account_id: string, componentId: string): Promise<Component> {
  const rows = await findComponents(tx, { account_id });
  const row = rows.find(({ id }) => id === parseId('cmp', componentId));
  if (!row) throw notFound('component');
  return serializeComponent(row, byPublicId(rows));
}

/** All of an account: they are few. */
export async function listComponents(tx: Tx, account_id: string): Promise<Component[]> {
  const rows = await findComponents(tx, { account_id });
  const components = byPublicId(rows);
  return rows.map((row) => serializeComponent(row, components));
}

function serializeComponent({ id, key, name, fields }: ComponentRow, components: Components): Component {
  const filled = refill(fields as Field[], components, () => {});
  return { id: publicId('cmp', id), key, name, fields: filled.map(serializeField) } as Component;
}

/** The collections that have a component, also within others. */
async function collectionsUsing(
  tx: Tx,
  account_id: string,
  componentId: string,
  components: Components,
): Promise<CollectionRow[]> {
  const outer = [...components.values()].filter(
    ({ id, fields }) => id === componentId || reaches(fields, componentId, components),
  );
  const ids = new Set(outer.map(({ id }) => id));
  const rows = await lockCollectionsWith(tx, { account_id, components: [...ids] });
  return rows.filter(({ fields }) => !componentsOf(fields).isDisjointFrom(ids));
}

/** Whether fields contain a component, also within others. */
function reaches(fields: readonly NestedField[], componentId: string, components: Components): boolean {
  const seen = new Set<string>();
  const visit = (within: readonly NestedField[]): boolean =>
    [...componentsOf(within)].some((id) => {
      if (id === componentId) return true;
      if (seen.has(id)) return false;
      seen.add(id);
      return visit(components.get(id)?.fields ?? []);
    });
  return visit(fields);
}

/** What is wrong with the rules of a collection, such as a computed text that would tell what becomes private, and was not before. */
function newRuleFaults(before: readonly Field[], after: readonly Field[]): Fault[] {
  const [former, found]: [Fault[], Fault[]] = [[], []];
  checkFieldRules(before, former);
  checkFieldRules(after, found);
  return found.filter(({ pointer, code }) => !former.some((each) => each.pointer === pointer && each.code === code));
}

/** Fields as a component is stored: those of components in it are its own. */
const unfilled = (fields: readonly NestedField[]): NestedField[] =>
  fields.map((field) => {
    if (field.blocks) {
      const blocks = field.blocks.map((block) => ({
        ...block,
        fields: block.componentId ? [] : unfilled(block.fields),
      }));
      return { ...field, blocks };
    }
    if (field.type !== 'group') return field;
    return { ...field, fields: field.componentId ? [] : unfilled(field.fields ?? []) };
  });

/** @throws ApiError 400 `collection_unknown` */
async function checkReferences(tx: Tx, account_id: string, fields: NestedField[]): Promise<void> {
  await replaceCollectionKeys(tx, account_id, fields);
  await refuseUnknownCollections(tx, account_id, fields);
}

const keyTaken = (key: string) =>
  invalid([{ pointer: '/key', code: 'key_taken', detail: `Another component has the key "${key}".` }]);
