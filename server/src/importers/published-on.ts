import type { Source, SourceField } from './source.ts';

const PUBLISHED_ON: SourceField = { id: 'publishedOn', label: 'Published on', type: 'timestamp' };

/** Adds a field that stores when the other system first published an entry: `publishedAt` is the time of the import. */
export function keepPublishedOn(source: Source): Source {
  const dated = new Set(
    source.entries.filter(({ publishedOn }) => publishedOn !== undefined).map(({ collectionId }) => collectionId),
  );
  for (const { id, fields } of source.collections) {
    if (!fields.some((field) => field.id === PUBLISHED_ON.id)) continue;
    if (dated.delete(id)) source.notes.add('publishedAt is the time of the import.', { collection: id });
  }
  return {
    ...source,
    collections: source.collections.map((each) =>
      dated.has(each.id) ? { ...each, fields: [...each.fields, PUBLISHED_ON] } : each,
    ),
    entries: source.entries.map((each) => {
      if (each.publishedOn === undefined || !dated.has(each.collectionId)) return each;
      const note = `${PUBLISHED_ON.id} stores when the entry was first published; publishedAt is the time of the import.`;
      source.notes.add(note, { collection: each.collectionId });
      return { ...each, values: { ...each.values, [PUBLISHED_ON.id]: each.publishedOn } };
    }),
  };
}

/** The earliest of times as exports have them. */
export function earliest(times: readonly unknown[]): string | undefined {
  const known = times.map((time) => Date.parse(String(time))).filter((time) => !Number.isNaN(time));
  return known.length > 0 ? new Date(Math.min(...known)).toISOString() : undefined;
}
