/** A field of a collection as the API takes it. */
export interface SourceField {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select';
  required?: boolean;
  repeated?: boolean;
  options?: { value: string; label: string }[];
}

export interface SourceCollection {
  /** Its id in the other system. */
  id: string;
  name: string;
  description?: string | undefined;
  fields: SourceField[];
  displayFieldId?: string | undefined;
}

export interface SourceAsset {
  id: string;
  /** A local file. */
  path: string;
  name: string;
}

export interface SourceEntry {
  id: string;
  collectionId: string;
  /** By field id; values of asset fields are ids of assets in the other system. */
  values: Record<string, unknown>;
}

/** The content of another system, and what of it has no counterpart. */
export interface Source {
  collections: SourceCollection[];
  assets: SourceAsset[];
  entries: SourceEntry[];
  /** Sentences for the report, with how often each applies. */
  notes: Notes;
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
