import type { Notes, Source, SourceCollection, SourceEntry, SourceField, Values } from './source.ts';

/**
 * Collections whose fields are only required if no entry that is live lacks their value: other systems require what is written, not what was written
 * before, and an entry without the value could not be published here.
 */
export function withoutLacking({ collections, entries, assets, locales, notes }: Source): SourceCollection[] {
  const files = new Set(assets.map(({ id }) => id));
  const byCollection = Map.groupBy(entries, ({ collectionId }) => collectionId);
  return collections.map((collection) => {
    const live = (byCollection.get(collection.id) ?? []).filter(
      ({ isPublished }) => isPublished || !collection.publishing,
    );
    const groups = live.flatMap((entry) =>
      groupsOf(entry, locales?.default).map((values, i) => ({ entry, values, isOther: i > 0 })),
    );
    return {
      ...collection,
      fields: relaxed(collection.fields, groups, { files, notes, collection: collection.id }, ''),
    };
  });
}

interface Group {
  entry: SourceEntry;
  values: Values;
  /** Of another locale, which has only localized fields. */
  isOther: boolean;
}

/** The values of each locale that an entry has, by the ids of fields; first those of the default locale, with those of no locale. */
function groupsOf({ values }: SourceEntry, main: string | undefined): Values[] {
  const groups = new Map<string, Values>([['', {}]]);
  for (const [name, value] of Object.entries(values)) {
    const [id = '', locale = ''] = name.split('@');
    const key = locale === main ? '' : locale;
    groups.set(key, { ...groups.get(key), [id]: value });
  }
  return [...groups.values()];
}

function relaxed(
  fields: readonly SourceField[],
  groups: readonly Group[],
  context: { files: ReadonlySet<string>; notes: Notes; collection: string },
  at: string,
): SourceField[] {
  return fields.map((field) => {
    const { required, fields: inner, blocks, ...others } = field;
    const needed = groups.filter(({ isOther }) => required && (field.localized || !isOther));
    const lacking = new Set(
      needed.flatMap(({ entry, values }) => (isEmpty(presentValue(field, values, context.files)) ? entry : [])),
    );
    const name = `${at}${field.id}`;
    if (lacking.size > 0) {
      const note = `"${name}" is not required here: entries that are live lack it.`;
      context.notes.add(note, { collection: context.collection, count: lacking.size });
    }
    const rowsOf = (block?: string) =>
      groups.flatMap(({ entry, values }) =>
        [values[field.id] ?? []]
          .flat()
          .filter((row) => block === undefined || (row as Values)._block === block)
          .map((row) => ({ entry, values: row as Values, isOther: false })),
      );
    return {
      ...others,
      ...(required && lacking.size === 0 && { required }),
      ...(inner && { fields: relaxed(inner, rowsOf(), context, `${name}.`) }),
      ...(blocks && {
        blocks: blocks.map((block) => ({
          ...block,
          fields: relaxed(block.fields, rowsOf(block.id), context, `${name}.${block.id}.`),
        })),
      }),
    };
  });
}

/** Without files that are not in the export. */
function presentValue({ id, type }: SourceField, values: Values, files: ReadonlySet<string>): unknown {
  const value = values[id];
  return type === 'asset' ? [value ?? []].flat().filter((each) => files.has(String(each))) : value;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
