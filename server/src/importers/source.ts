/** A field of a collection as the API takes it. */
export interface SourceField {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
  required?: boolean;
  repeated?: boolean;
  format?: string;
  options?: { value: string; label: string }[];
  localized?: boolean;
  private?: boolean;
  /** Of a group. */
  fields?: SourceField[];
  /** Of the format `blocks`. */
  blocks?: { id: string; label: string; fields: SourceField[] }[];
  /** Of a reference: ids of collections in the other system. */
  collections?: string[];
  /** Of what refers to a collection that is not imported: the key in the other system is kept as text. */
  isForeignKey?: true;
}

export interface SourceCollection {
  /** Its id in the other system. */
  id: string;
  name: string;
  description?: string | undefined;
  fields: SourceField[];
  displayFieldId?: string | undefined;
  /** Whether entries are drafts until they are published. */
  publishing?: boolean;
  singleton?: boolean;
  /** Whether its entries have an order of their own, which is that of `entries`. */
  isOrdered?: boolean;
}

export interface SourceAsset {
  id: string;
  /** A local file. */
  path: string;
  name: string;
  alt?: string | undefined;
  title?: string | undefined;
  caption?: string | undefined;
}

type Values = Record<string, unknown>;

export interface SourceEntry {
  id: string;
  collectionId: string;
  /**
   * By field id; those of a localized field by `<field>@<locale>`. Values of asset fields are ids of assets in the other system, those of
   * references what `entryKey` returns.
   */
  values: Values;
  isPublished?: boolean;
  /** What its draft has after it was published. */
  draft?: Values | undefined;
}

/** Fields in which what refers to collections that are not imported is text. */
export function withoutUnknown(
  fields: readonly SourceField[],
  known: ReadonlySet<string>,
  notes: Notes,
): SourceField[] {
  return fields.map(({ collections, ...field }) => {
    const { fields: inner, blocks } = field;
    const targets = collections?.filter((id) => known.has(id));
    if (targets?.length === 0) {
      notes.add(`Relations to ${collections?.join(', ')} are imported as keys: it is not in the export (${field.id}).`);
    }
    return {
      ...field,
      ...(targets && targets.length > 0 && { collections: targets }),
      ...(targets?.length === 0 && { isForeignKey: true as const }),
      ...(inner && { fields: withoutUnknown(inner, known, notes) }),
      ...(blocks && {
        blocks: blocks.map((block) => ({ ...block, fields: withoutUnknown(block.fields, known, notes) })),
      }),
    };
  });
}

/** The name of an entry in references and in the file of what was imported. */
export const entryKey = (collectionId: string, id: unknown): string => `${collectionId}/${String(id)}`;

/** The content of another system, and what of it has no counterpart. */
export interface Source {
  collections: SourceCollection[];
  assets: SourceAsset[];
  entries: SourceEntry[];
  /** If there are localized fields. */
  locales?: { default: string; all: string[] };
  /** Sentences for the report, with how often each applies. */
  notes: Notes;
}

/** What a draft has that differs from what is published; null for a value that it lacks. */
export function changesOf(published: Values, draft: Values): Values | undefined {
  const names = new Set([...Object.keys(published), ...Object.keys(draft)]);
  const changed = [...names].filter((name) => JSON.stringify(published[name]) !== JSON.stringify(draft[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, draft[name] ?? null]));
}

/** Counts what could not be taken over. */
export class Notes {
  readonly #counts = new Map<string, number>();

  add(sentence: string): void {
    this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + 1);
  }

  list(): { note: string; count: number }[] {
    return [...this.#counts].map(([note, count]) => ({ note, count }));
  }
}

/** An id that the API accepts for a field: letters, digits, `_` and `-`, starting with a letter or digit. */
export function fieldId(text: string): string {
  const id = text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return /^[A-Za-z0-9]/.test(id) ? id : `x${id}`.slice(0, 64);
}
