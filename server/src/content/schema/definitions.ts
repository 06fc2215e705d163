import { isDeepStrictEqual } from 'node:util';
import type { BlockChange, Collection, CollectionChange, FieldChange, OptionChange } from '../contract.ts';
import { FIELD_SETTINGS, typeOf } from '../field-types/index.ts';
import type { Validation } from '../field-types/validation.ts';
import type { SchemaCollection, SchemaComponent } from './contract.ts';

/** How a definition names the collections and components that it refers to. */
export interface Names {
  collection(name: string): string;
  component(name: string): string;
}

interface Removable {
  status?: 'active' | 'deleted' | undefined;
}
const isPresent = ({ status }: Removable) => status !== 'deleted';

/** A definition as a request sends it or as the service returned it, whose fields differ in what may be absent. */
type Either<Definition> = Omit<Definition, 'fields' | 'status'> & { fields?: unknown };
const fieldsIn = ({ fields }: { fields?: unknown }): FieldChange[] => (fields ?? []) as FieldChange[];

/** What stands for the absence of a setting that null does not remove. */
const RESETS: Record<string, unknown> = { onDelete: 'keep', rowIds: false, collectionIds: [] };

/** A collection in the form of a schema file: no member that has its default, and nothing deleted. */
export function collectionDefinition(sent: Either<SchemaCollection>, names: Names, id = sent.id): SchemaCollection {
  const { key, name, description, displayFieldId, defaultSort } = sent;
  return {
    ...(id !== undefined && { id }),
    ...(key != null && { key }),
    name,
    ...(description != null && { description }),
    ...(sent.publishing && { publishing: true }),
    ...(sent.public && { public: true }),
    ...(sent.review != null && { review: sent.review }),
    ...(sent.singleton && { singleton: true }),
    ...((sent.ordering != null || sent.tree) && { ordering: 'manual' as const }),
    ...(sent.tree && { tree: true }),
    ...(sent.urlPattern != null && { urlPattern: sent.urlPattern }),
    ...(sent.previewUrl != null && { previewUrl: sent.previewUrl }),
    ...(sent.uniqueTogether?.length && { uniqueTogether: sent.uniqueTogether }),
    ...(displayFieldId != null && { displayFieldId }),
    ...(defaultSort != null && { defaultSort }),
    fields: fieldDefinitions(fieldsIn(sent), names),
  };
}

export function componentDefinition(sent: Either<SchemaComponent>, names: Names, id = sent.id): SchemaComponent {
  const { key, name } = sent;
  return {
    ...(id !== undefined && { id }),
    ...(key != null && { key }),
    name,
    fields: fieldDefinitions(fieldsIn(sent), names),
  };
}

const fieldDefinitions = (fields: readonly FieldChange[], names: Names): FieldChange[] =>
  fields.filter(isPresent).map((field) => fieldDefinition(field, names));

function fieldDefinition(field: FieldChange, names: Names): FieldChange {
  const { id, label, type, format, options, componentId, fields, blocks, helpText, defaultValue, visibleWhen } = field;
  const validation = rulesOf(field);
  const isSlug = format === 'slug';
  return {
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
    ...(type !== undefined && { type }),
    ...(format != null && { format }),
    ...(field.required && { required: true }),
    ...(field.repeated && { repeated: true }),
    ...(options != null && { options: options.filter(isPresent).map(({ value, label: of }) => optionOf(value, of)) }),
    ...settingsIn(field, names),
    ...(componentId != null
      ? { componentId: names.component(componentId) }
      : fields?.length && { fields: fieldDefinitions(fields, names) }),
    ...(blocks?.length && { blocks: blocks.filter(isPresent).map((block) => blockDefinition(block, names)) }),
    ...(helpText != null && helpText !== '' && { helpText }),
    ...(validation && { validation }),
    ...(defaultValue != null && defaultValue !== '' && { defaultValue }),
    ...(visibleWhen != null && { visibleWhen }),
    ...(field.private && { private: true }),
    ...(field.unique && !isSlug && { unique: true }),
    ...(field.localized && { localized: true }),
    ...(field.section != null && { section: field.section }),
  };
}

const optionOf = (value: string, label: string | undefined) => ({ value, ...(label !== undefined && { label }) });

function blockDefinition({ id, label, componentId, fields }: BlockChange, names: Names): BlockChange {
  return {
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
    ...(componentId != null
      ? { componentId: names.component(componentId) }
      : { fields: fieldDefinitions(fields ?? [], names) }),
  };
}

/** Rules as a file states them: a required text has `minLength` 1 unless it states other ones, or `{}` for none. */
function rulesOf(field: FieldChange): Validation | undefined {
  const rules = field.validation ?? (isStored(field) ? {} : undefined);
  if (!refusesEmpty(field)) return rules && Object.keys(rules).length > 0 ? rules : undefined;
  return rules && !isDeepStrictEqual(rules, EMPTY_REFUSED) ? rules : undefined;
}

const EMPTY_REFUSED = { minLength: 1 };
const refusesEmpty = ({ type, format, required }: FieldChange) =>
  required === true && type !== undefined && typeOf({ type, format: format ?? undefined }).acceptsEmptyText;

/** What the service returned says of each option and field whether it is deleted; what a file says need not. */
const isStored = (field: FieldChange) => field.status !== undefined;

function settingsIn(field: FieldChange, names: Names): Record<string, unknown> {
  const sent = field as Record<string, unknown>;
  const settings = Object.keys(FIELD_SETTINGS).filter((name) => sent[name] != null && sent[name] !== RESETS[name]);
  return Object.fromEntries(
    settings.map((name) => {
      const value = sent[name];
      return [name, name === 'collectionIds' ? (value as string[]).map((each) => names.collection(each)) : value];
    }),
  );
}

/** The change that makes a collection what a file defines. @param known as it is, with what is deleted */
export function collectionChange(
  { id: _, ...sent }: SchemaCollection,
  known: Collection | undefined,
): CollectionChange {
  return {
    name: sent.name,
    key: sent.key ?? null,
    description: sent.description ?? null,
    displayFieldId: sent.displayFieldId ?? null,
    defaultSort: sent.defaultSort ?? null,
    publishing: sent.publishing ?? false,
    public: sent.public ?? false,
    previewUrl: sent.previewUrl ?? null,
    urlPattern: sent.urlPattern ?? null,
    singleton: sent.singleton ?? false,
    uniqueTogether: sent.uniqueTogether ?? null,
    ordering: sent.ordering ?? (sent.tree ? ('manual' as const) : null),
    tree: sent.tree ?? false,
    review: sent.review ?? null,
    status: 'active' as const,
    allowDataLoss: true,
    fields: fieldChanges(sent.fields ?? [], known ? fieldsIn(known) : [], false),
  };
}

/** The same of the fields of a component. */
export const componentChanges = ({ fields }: SchemaComponent, known: { fields: unknown }): FieldChange[] =>
  fieldChanges(fields, fieldsIn(known), true);

/** The same of a list of fields: those that the file does not have are deleted, and those it has again are restored. */
function fieldChanges(sent: readonly FieldChange[], known: readonly FieldChange[], isNested: boolean): FieldChange[] {
  return complete(
    sent,
    known,
    ({ id }) => id,
    removed,
    (field, before) => fieldChange(field, before, isNested),
  );
}

function fieldChange(sent: FieldChange, known: FieldChange, isNested: boolean): FieldChange {
  const { componentId, fields, blocks, options } = sent;
  const settings = Object.keys(FIELD_SETTINGS).map((name) => [name, name in RESETS ? RESETS[name] : null] as const);
  return {
    required: false,
    repeated: false,
    format: null,
    helpText: null,
    defaultValue: null,
    visibleWhen: null,
    private: false,
    ...(!isNested && { unique: false, localized: false, section: null }),
    ...Object.fromEntries(settings.filter(([name]) => name in known && known[name as keyof FieldChange] != null)),
    validation: refusesEmpty(sent) ? EMPTY_REFUSED : null,
    ...sent,
    status: 'active',
    ...(options && { options: optionChanges(options, known.options ?? []) }),
    ...(sent.type === 'group' && {
      componentId: componentId ?? null,
      fields: componentId == null ? fieldChanges(fields ?? [], known.fields ?? [], true) : null,
      ...(blocks && { blocks: complete(blocks, known.blocks ?? [], ({ id }) => id, removed, blockChange) }),
    }),
  };
}

function blockChange(sent: BlockChange, known: BlockChange): BlockChange {
  const { componentId = null, fields } = sent;
  const own = componentId === null ? fieldChanges(fields ?? [], known.fields ?? [], true) : null;
  return { ...sent, componentId, fields: own, status: 'active' };
}

const removed = ({ id }: { id?: string | undefined }) => ({
  ...(id !== undefined && { id }),
  status: 'deleted' as const,
});

const optionChanges = (sent: readonly OptionChange[], known: readonly OptionChange[]): OptionChange[] =>
  complete(
    sent,
    known,
    ({ value }) => value,
    ({ value }) => ({ value, status: 'deleted' }),
    (option) => option,
  );

function complete<Item extends Removable>(
  sent: readonly Item[],
  known: readonly Item[],
  nameOf: (item: Item) => string | undefined,
  remove: (item: Item) => Item,
  change: (item: Item, known: Item) => Item,
): Item[] {
  const byName = new Map(known.map((item) => [nameOf(item), item]));
  const named = new Set(sent.map(nameOf));
  const changed = sent.map((item) => {
    const before = byName.get(nameOf(item));
    return before ? { ...change(item, before), status: item.status === 'deleted' ? 'deleted' : 'active' } : item;
  });
  return [...changed, ...known.filter((item) => isPresent(item) && !named.has(nameOf(item))).map(remove)];
}
