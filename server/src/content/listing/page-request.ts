import type { ByteWriter } from '../../shared/byte-writer.ts';
import { BinaryRow } from '../../shared/postgres/driver/binary-rows.ts';
import type { Field } from '../collections/collection.ts';
import type { Conditions } from './filter-sql.ts';
import type { KeyRanges } from './key-ranges.ts';
import type { Scope } from './key-sql.ts';

/** The last entry of the previous page. */
export interface Cursor {
  /** Its sort key, or `updated_at` as PostgreSQL writes it. Unused if the order is that of the IDs. */
  key: string;
  id: string;
}

/** Where entries are read in the order of the listing. */
export type Source =
  /** All active entries, by time. */
  | { by: 'created_at' | 'updated_at' }
  /** Entries with a key of the field in `ranges`, by key; then, if requested, those without a value, by ID. */
  | { by: 'key'; field: Field; ranges: KeyRanges; missing: 'none' | 'in index' | 'in entries' }
  /** Entries with one of the keys, by ID, which is the order of creation. */
  | { by: 'id'; fieldKey: number; points: string[] };

export interface PageRequest {
  scope: Scope;
  source: Source;
  descending: boolean;
  conditions: Conditions;
  limit: number;
  cursor: Cursor | undefined;
}

/** A row of a page: what it was found by, and the entry. */
export class PageRow extends BinaryRow {
  get cursor(): Cursor {
    return { key: this.text(0) ?? '', id: this.id };
  }

  get id(): string {
    return this.uuid(1) ?? '';
  }

  /** The bytes of `id`. */
  get uuidBytes(): Buffer {
    return this.bytes(1) ?? Buffer.alloc(16);
  }

  writePublicDigits(out: ByteWriter): void {
    this.writeIdDigits(1, out);
  }

  get createdAt(): number {
    return this.uuidTime(1) ?? 0;
  }

  /** Of a bounded walk: how many entries were read up to this one. Of several pages: the number of its page. */
  get step(): number | undefined {
    return this.integer(2);
  }

  get matches(): boolean {
    return this.boolean(3) ?? false;
  }

  /** Whether the entry was not deleted while the page was read. */
  get isThere(): boolean {
    return this.has(4);
  }

  /** As stored, JSON. */
  get values(): Buffer | undefined {
    return this.bytes(4);
  }

  get valuesSize(): number {
    return this.sizeOf(4);
  }

  writeValues(out: ByteWriter): void {
    this.write(4, out);
  }

  get version(): number {
    return this.integer(5) ?? 0;
  }

  get updatedAt(): number {
    return this.time(6) ?? 0;
  }

  /** This and the following ones: only in collections with publishing. */
  get publishedVersion(): number | undefined {
    return this.integer(7);
  }

  get publishedAt(): number | undefined {
    return this.time(8);
  }

  /** JSON. */
  get publishedLocales(): string | undefined {
    return this.text(9);
  }
}
