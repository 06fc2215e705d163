import { type Client, isHeadwaterError } from '@headwater/sdk';
import { isRefusal, reasonOf } from './refusals.ts';
import type { ImportReport } from './report.ts';
import type { Notes, Source, SourceCollection, SourceField } from './source.ts';

type NewCollection = Parameters<Client['createCollection']>[0];
type ChangedFields = Parameters<Client['updateCollection']>[1];
type Collection = Awaited<ReturnType<Client['createCollection']>>;

/** A collection here. */
export interface TargetCollection {
  /** Undefined while a dry run would create it. */
  id: string | undefined;
  isNew: boolean;
  /** The fields that tell what an entry was made from: its identity there, and the version of its values. */
  idField: string;
  versionField: string;
  /** Fields that were deleted here. */
  deleted: ReadonlySet<string>;
}

/** Adds the locales of another system to the account. @returns its default locale */
export async function addLocales(client: Client, { locales }: Source, dryRun: boolean): Promise<string | undefined> {
  if (!locales) return undefined;
  const known = await client.getLocales();
  const tags = known.locales.map(({ locale }) => locale);
  const missing = locales.all.filter((tag) => !tags.includes(tag));
  const main = known.default ?? locales.default;
  if (!dryRun && (missing.length > 0 || known.default === null)) {
    await client.setLocales({
      default: main,
      locales: [
        ...known.locales.map(({ locale, fallback }) => ({ locale, ...(fallback && { fallback }) })),
        ...missing.map((locale) => {
          const fallback = locale === main ? undefined : locales.fallbacks?.[locale];
          return { locale, ...(fallback && locales.all.includes(fallback) && { fallback }) };
        }),
      ],
    });
  }
  return main;
}

/** The help text of the field with the identity of entries, by which a collection is found again. */
const markOf = (origin: string, id: string) => `${origin}/${id}`;

interface CollectionContext {
  origin: string;
  system: string;
  dryRun: boolean;
  notes: Notes;
  report: Pick<ImportReport, 'failed'>;
  /** Called with those that exist, before anything is written. */
  check?(targets: ReadonlyMap<string, TargetCollection>): Promise<void>;
}

/**
 * The collections here, by their ids there. What an earlier run made is found by what it wrote into the collection; what is missing is
 * created. A key of its own keeps a request whose response was lost from making a second one.
 */
export async function importCollections(
  client: Client,
  collections: readonly SourceCollection[],
  { origin, system, dryRun, notes, report, check }: CollectionContext,
): Promise<Map<string, TargetCollection>> {
  const existing = await client.listCollections({ pageSize: 100 }).all();
  const trashed = await client.listDeletedCollections({ pageSize: 100 }).all();
  const targets = new Map<string, TargetCollection>();
  const found = new Map<string, Collection>();
  for (const collection of collections) {
    const mark = markOf(origin, collection.id);
    const known = existing.find((each) => isMarked(each, mark));
    const isNew = known === undefined;
    if (isNew && trashed.some((each) => isMarked(each, mark))) {
      notes.add('The collection was deleted here since it was imported, so it is created again.', {
        collection: collection.id,
        unit: 'collection',
      });
    }
    const [idField, versionField] = markFieldsOf(collection);
    if (known) found.set(collection.id, known);
    targets.set(collection.id, {
      id: known?.id,
      isNew,
      idField: known?.fields.find(({ helpText }) => helpText === mark)?.id ?? idField,
      versionField,
      deleted: new Set(known?.fields.flatMap(({ id, status }) => (status === 'deleted' ? id : []))),
    });
  }
  await check?.(targets);
  for (const collection of collections) {
    const target = targets.get(collection.id);
    if (!target?.isNew || dryRun) continue;
    const mark = markOf(origin, collection.id);
    try {
      const made = await create(client, collection, { ...target, mark, system });
      found.set(collection.id, made);
      target.id = made.id;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      report.failed.push({ id: collection.id, reason: reasonOf(error) });
      targets.delete(collection.id);
    }
  }
  for (const collection of collections) {
    const deleted = targets.get(collection.id)?.deleted ?? new Set();
    for (const { id } of collection.fields) {
      if (!deleted.has(id)) continue;
      notes.add('Fields that were deleted here are left out.', { collection: collection.id, unit: 'field', name: id });
    }
    const known = found.get(collection.id);
    if (known && !dryRun) await addFields(client, collection, known, targets, notes);
  }
  return targets;
}

const isMarked = ({ fields }: Pick<Collection, 'fields'>, mark: string): boolean =>
  fields.some(({ helpText, status }) => helpText === mark && status === 'active');

/** Their ids, which are not those of its own fields. */
function markFieldsOf({ fields }: SourceCollection): [string, string] {
  const isTaken = fields.some(({ id }) => id === 'importId' || id === 'importVersion');
  return isTaken ? ['headwaterImportId', 'headwaterImportVersion'] : ['importId', 'importVersion'];
}

/** Without what refers to collections that may not exist yet. */
async function create(
  client: Client,
  collection: SourceCollection,
  { mark, system, idField, versionField }: { mark: string; system: string; idField: string; versionField: string },
): Promise<Collection> {
  const { id, name, description, publishing, singleton, isOrdered } = collection;
  const about = { type: 'text', private: true, section: 'Import' };
  const body = {
    name: name.trim().slice(0, 255) || id.slice(0, 255),
    fields: [
      { ...about, id: idField, label: `ID in ${system}`, unique: true, helpText: mark },
      { ...about, id: versionField, label: 'Imported version' },
    ],
    ...(description && { description: description.slice(0, 10_000) }),
    ...(publishing && { publishing }),
    ...(singleton && { singleton }),
    ...(isOrdered && { ordering: 'manual' as const }),
  };
  const stem = keyOf(id);
  for (let n = 1; ; n++) {
    const key = n === 1 ? stem : `${stem.slice(0, 58)}_${n}`;
    try {
      return await client.createCollection({ ...body, key } as NewCollection);
    } catch (error) {
      if (!isHeadwaterError(error)) throw error;
      if (!error.errors.some(({ code }) => code === 'key_taken' || code === 'key_reserved')) throw error;
      // Perhaps by a request of an earlier run that was still under way.
      const all = await client.listCollections({ pageSize: 100 }).all();
      const made = all.find((each) => isMarked(each, mark));
      if (made) return made;
    }
  }
}

/** `api::blog-post.blog-post` is `blog_post`. */
function keyOf(id: string): string {
  const words = (id.split(/[.:/]/).at(-1) ?? id)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return words === '' ? 'imported' : words.slice(0, 63);
}

/** Adds the fields that a collection lacks, once all collections exist, and options and parts of groups that its fields lack. */
async function addFields(
  client: Client,
  collection: SourceCollection,
  known: Collection,
  targets: ReadonlyMap<string, TargetCollection>,
  notes: Notes,
): Promise<void> {
  const byId = new Map(known.fields.map((field) => [field.id, field]));
  let fields = collection.fields.flatMap((field) => {
    const here = byId.get(field.id);
    const wanted = fieldOf(field, targets);
    if (!here) return [wanted];
    if (here.status === 'deleted') return [];
    const options = (field.options ?? []).filter(({ value }) => !here.options?.some((each) => each.value === value));
    if (options.length > 0 && here.options) return [{ id: field.id, options: [...here.options, ...options] }];
    const isLarger = idsWithin(field).difference(idsWithin(here)).size > 0;
    if (!isLarger || field.type !== here.type) return [];
    return [{ id: field.id, ...('blocks' in wanted ? { blocks: wanted.blocks } : { fields: wanted.fields }) }];
  });
  const { displayFieldId } = collection;
  // A field that points nowhere would be refused.
  const display = collection.fields.find(
    ({ id, type, repeated }) => id === displayFieldId && type === 'text' && !repeated,
  );
  let sets = known.displayFieldId === null && display ? { displayFieldId: display.id } : {};
  if (fields.length > MOST_FIELDS) {
    const names = fields.splice(MOST_FIELDS).map(({ id }) => id);
    const about = { collection: collection.id, unit: 'field', name: names.join(', '), count: names.length };
    notes.add(`Collections have at most ${MOST_FIELDS} fields of an import; the others are left out.`, about);
  }
  while (fields.length > 0) {
    try {
      await client.updateCollection({ collectionId: known.id }, { fields, ...sets } as ChangedFields);
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const refused = fields;
      const isOfTitle = error.errors.some(({ pointer }) => pointer === '/displayFieldId');
      if (isOfTitle && 'displayFieldId' in sets) {
        sets = {};
        continue;
      }
      fields = withoutFaults(fields, error.errors, (id, detail) =>
        notes.add(`The service refused a field or rule: ${detail}`, {
          collection: collection.id,
          unit: 'field',
          name: id,
        }),
      );
      if (fields === refused) throw error;
    }
  }
}

/** The ids of the fields and blocks within a field. */
function idsWithin(field: object, path = ''): Set<string> {
  const { fields, blocks } = field as {
    fields?: { id?: string }[] | null;
    blocks?: { id?: string; fields?: object[] }[] | null;
  };
  const inner = [...(fields ?? []), ...(blocks ?? [])];
  return new Set(inner.flatMap((each) => [`${path}/${each.id}`, ...idsWithin(each, `${path}/${each.id}`)]));
}

/** Two of 200 are those of the import. */
const MOST_FIELDS = 198;

type Wanted = Record<string, unknown> & { id: string };

/** Fields without the rules that were refused, and without those that were refused themselves. The same array: nothing is at fault. */
function withoutFaults<Each extends object>(
  fields: Each[],
  errors: readonly { pointer?: string; detail: string }[],
  tell: (id: string, detail: string) => void,
): Each[] {
  const dropped = new Set<number>();
  const changed = new Map<number, Each>();
  for (const { pointer = '', detail } of errors) {
    const [, at, member = '', rule] = /^\/fields\/(\d+)(?:\/([^/]+))?(?:\/([^/]+)$)?/.exec(pointer) ?? [];
    const field = at === undefined ? undefined : (changed.get(Number(at)) ?? fields[Number(at)]);
    if (at === undefined || !field) continue;
    tell(String((field as Wanted).id), detail);
    const optional = member === 'validation' || member === 'unique' || member === 'required';
    if (!optional || !(member in field)) dropped.add(Number(at));
    else if (member === 'validation' && rule !== undefined) {
      const { [rule]: _, ...validation } = (field as unknown as Wanted).validation as Record<string, unknown>;
      changed.set(Number(at), { ...field, validation });
    } else {
      const { [member]: _, ...rest } = field as unknown as Wanted;
      changed.set(Number(at), rest as unknown as Each);
    }
  }
  if (dropped.size === 0 && changed.size === 0) return fields;
  return fields.flatMap((field, i) => (dropped.has(i) ? [] : [changed.get(i) ?? field]));
}

function fieldOf(
  { collections, fields, blocks, isForeignKey: _, ...field }: SourceField,
  targets: ReadonlyMap<string, TargetCollection>,
): Wanted {
  const inner = (all: SourceField[]) => all.map((each) => fieldOf(each, targets));
  const collectionIds = (collections ?? []).flatMap((id) => targets.get(id)?.id ?? []).slice(0, 100);
  const { label, helpText, options } = field;
  return {
    ...field,
    label: label.trim().slice(0, 255) || field.id,
    ...(helpText && { helpText: helpText.slice(0, 10_000) }),
    ...(options && { options: optionsOf(options) }),
    // A reference can be set only once its entry exists.
    ...(collections && { required: field.format === 'richtext' ? (field.required ?? false) : false, collectionIds }),
    ...(collections && field.format !== 'richtext' && { format: 'reference' }),
    ...(fields && { fields: inner(fields) }),
    ...(blocks && {
      repeated: true,
      format: 'blocks',
      fields: [],
      blocks: blocks.map((block) => ({ ...block, fields: inner(block.fields) })),
    }),
  };
}

/** Those that the API accepts: each value once, and none that is empty. */
function optionsOf(options: NonNullable<SourceField['options']>): NonNullable<SourceField['options']> {
  const byValue = new Map(options.map(({ value, label }) => [String(value), String(label ?? value)]));
  return [...byValue].flatMap(([value, label]) =>
    value === '' || value.length > 255 ? [] : { value, label: label.trim().slice(0, 255) || value },
  );
}
