import type { Client } from '@headwater/sdk';
import type { Source, SourceCollection, SourceField } from './source.ts';

type NewCollection = Parameters<Client['createCollection']>[0];
type ChangedFields = Parameters<Client['updateCollection']>[1];

/** Adds the locales of another system to the account. @returns its default locale */
export async function addLocales(client: Client, { locales }: Source): Promise<string | undefined> {
  if (!locales) return undefined;
  const known = await client.getLocales();
  const tags = known.locales.map(({ locale }) => locale);
  const missing = locales.all.filter((tag) => !tags.includes(tag));
  const main = known.default ?? locales.default;
  if (missing.length > 0 || known.default === null) {
    await client.setLocales({
      default: main,
      locales: [
        ...known.locales.map(({ locale, fallback }) => ({ locale, ...(fallback && { fallback }) })),
        ...missing.map((locale) => ({ locale })),
      ],
    });
  }
  return main;
}

/** A collection without what refers to collections that do not exist yet. */
export async function createCollection(client: Client, collection: SourceCollection): Promise<string> {
  const { name, description, publishing, singleton, isOrdered } = collection;
  const body = {
    name,
    fields: [],
    ...(description && { description }),
    ...(publishing && { publishing }),
    ...(singleton && { singleton }),
    ...(isOrdered && { ordering: 'manual' as const }),
  };
  return (await client.createCollection(body as NewCollection)).id;
}

/** Adds the fields, once all collections exist. @param ids by the ids of the other system */
export async function addFields(
  client: Client,
  collection: SourceCollection,
  ids: Record<string, string>,
): Promise<void> {
  const { fields, displayFieldId } = collection;
  // A field that points nowhere would be refused.
  const display = fields.find((field) => field.id === displayFieldId && field.type === 'text' && !field.repeated);
  const body = { fields: fields.map((field) => fieldOf(field, ids)), ...(display && { displayFieldId: display.id }) };
  await client.updateCollection({ collectionId: ids[collection.id] ?? '' }, body as ChangedFields);
}

function fieldOf(
  { collections, fields, blocks, isForeignKey: _, ...field }: SourceField,
  ids: Record<string, string>,
): object {
  const inner = (all: SourceField[]) => all.map((each) => fieldOf(each, ids));
  return {
    ...field,
    // A reference can be set only once its entry exists.
    ...(collections && {
      format: 'reference',
      required: false,
      collectionIds: collections.flatMap((id) => ids[id] ?? []),
    }),
    ...(fields && { fields: inner(fields) }),
    ...(blocks && {
      repeated: true,
      format: 'blocks',
      fields: [],
      blocks: blocks.map((block) => ({ ...block, fields: inner(block.fields) })),
    }),
  };
}
