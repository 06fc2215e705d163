import {
  type CheckedValues,
  type Collection,
  deriveSlugs,
  findEntries,
  findEntriesByKey,
  findReferenceFaults,
  findTaken,
  hasUniqueValues,
  indexedKey,
  insertEntries,
  isActive,
  keysOfEntry,
  lockEntries,
  STALE,
  sortKeysOf,
  typeOf,
  uniqueFieldOf,
  updateEntries,
  ValueFault,
  type WritableEntryRow,
  type WriteContext,
} from '../../content/index.ts';
import { findAssets, lockAssets } from '../../files/index.ts';
import { ApiError } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SerializationError } from '../../shared/postgres/database-errors.ts';
import type { ResolvedMapping } from '../mapping.ts';
import type { BatchWrites } from '../queries.ts';
import { readMappedCell } from './column-formats.ts';
import { evaluateRow, type FieldError, fieldOf } from './evaluate-row.ts';
import { StageError } from './stage-run.ts';

/** A row of the file, numbered as in a spreadsheet, and how its entry is found. */
export interface FileRow {
  row: number;
  cells: string[];
  /** UUID. */
  entryId?: string | undefined;
  /** A sort key of the mapping's key field. */
  key?: string | undefined;
  error?: FieldError | undefined;
}

export interface RowOutcome {
  row: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  errors: FieldError[];
  /** The entry as it is stored; undefined if the row creates one. */
  stored: WritableEntryRow | undefined;
  /** UUID; undefined until a new entry is written. */
  entryId: string | undefined;
  checked: CheckedValues;
}

const NO_VALUES: CheckedValues = { values: {}, faults: [], assets: [], references: [], slugs: [] };

/** Finds the entries of rows, evaluates the rows, and writes the outcomes. */
export class RowMatcher {
  readonly #accountId: string;
  readonly #publicUrl: string;
  readonly #collection: Collection;
  readonly #mapping: ResolvedMapping;
  /** Ids and keys of earlier rows: two rows of a file do not update the same entry. */
  readonly #seen: Set<string>;
  /** Unique values of the file, and the first row that has each. */
  readonly #claimed: Map<string, number>;

  constructor(
    accountId: string,
    collection: Collection,
    mapping: ResolvedMapping,
    publicUrl: string,
    seen = new Set<string>(),
    claimed = new Map<string, number>(),
  ) {
    this.#accountId = accountId;
    this.#collection = collection;
    this.#mapping = mapping;
    this.#publicUrl = publicUrl;
    this.#seen = seen;
    this.#claimed = claimed;
  }

  get version(): number {
    return this.#collection.version;
  }

  /** Whether entries may use files, whose rows writers lock. */
  get usesFiles(): boolean {
    return this.#collection.hasAssets;
  }

  /** The same matcher after the collection's fields have changed. */
  withFields(collection: Collection, mapping: ResolvedMapping): RowMatcher {
    return new RowMatcher(this.#accountId, collection, mapping, this.#publicUrl, this.#seen, this.#claimed);
  }

  /** Determines what the row's entry is found by. Called once for each row of the file, in order. */
  identify(row: FileRow): FileRow {
    const { idColumn, key: keyColumn, width } = this.#mapping;
    const { cells } = row;
    if (cells.length !== width) {
      const detail = `The row has ${cells.length} cells, but the header has ${width}.`;
      return { ...row, error: { field: null, code: 'cell_count_mismatch', detail } };
    }
    let id: string | undefined;
    if (idColumn !== undefined) {
      const cell = cells[idColumn]?.trim() ?? '';
      if (cell === '') return row;
      id = parseId('ent', cell);
      if (id === undefined) return { ...row, error: UNKNOWN_ENTRY };
    } else if (keyColumn !== undefined) {
      const { at, column } = keyColumn;
      const cell = cells[at] ?? '';
      if (cell.trim() === '') {
        const detail = 'The cell is empty, but entries are matched by this field.';
        return { ...row, error: { field: column.name, code: 'required', detail } };
      }
      const value = readMappedCell(keyColumn, cell);
      // Evaluating the row reports the error.
      if (value instanceof ValueFault) return row;
      id = typeOf(column.field).sortKey(value);
    } else return row;
    if (this.#seen.has(id)) {
      const detail = 'An earlier row of the file is for the same entry.';
      return { ...row, error: { field: keyColumn?.column.name ?? null, code: 'row_repeated', detail } };
    }
    this.#seen.add(id);
    return keyColumn ? { ...row, key: id } : { ...row, entryId: id };
  }

  /** @param lock locks entries and assets until the transaction ends, so that the outcomes can be written */
  async evaluate(tx: Tx, rows: readonly FileRow[], lock: boolean): Promise<RowOutcome[]> {
    const find = await this.#findEntries(tx, rows, lock);
    const outcomes = rows.map((row) => this.#evaluateRow(row, row.error ?? find(row)));
    await this.#checkAssets(tx, outcomes, lock);
    await this.#checkReferences(tx, outcomes);
    const derived = outcomes.flatMap(({ outcome, checked }) => (outcome === 'failed' ? [] : checked));
    await deriveSlugs(tx, this.#accountId, derived, ({ key, publishedKey }, slug) =>
      [key, publishedKey].some((each) => this.#claimed.has(`${each} ${slug}`)),
    );
    await this.#checkUnique(tx, outcomes);
    return outcomes;
  }

  #evaluateRow({ row, cells }: FileRow, found: WritableEntryRow | FieldError | undefined): RowOutcome {
    const isError = found !== undefined && 'code' in found;
    const stored = isError ? undefined : found;
    const base = { row, errors: [], stored, entryId: stored?.id, checked: NO_VALUES };
    if (isError) return { ...base, outcome: 'failed', errors: [found] };
    const evaluation = evaluateRow(this.#collection, this.#mapping, cells, stored && readJson(stored.values));
    switch (evaluation.action) {
      case 'fail':
        return { ...base, outcome: 'failed', errors: evaluation.errors };
      case 'none':
        return { ...base, outcome: 'unchanged' };
      default: {
        const { action, checked } = evaluation;
        return { ...base, outcome: action === 'create' ? 'created' : 'updated', checked };
      }
    }
  }

  /**
   * Writes the created and updated entries, and sets the ids of the new ones.
   * @throws an error that makes the transaction run again if somebody took a unique value since it was evaluated
   */
  async write(tx: Tx, outcomes: readonly RowOutcome[], writing: WriteContext): Promise<BatchWrites> {
    try {
      return await this.#write(tx, outcomes, writing);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'value_taken') throw new StageError(error.code, error.message);
      throw new SerializationError(error);
    }
  }

  async #write(tx: Tx, outcomes: readonly RowOutcome[], writing: WriteContext): Promise<BatchWrites> {
    const created = outcomes.filter(({ outcome }) => outcome === 'created');
    const updated = outcomes.filter(({ outcome }) => outcome === 'updated');
    const toInsert = created.map(({ checked: { values } }) => ({ values, createdAt: writing.now }));
    const newEntries = await insertEntries(tx, writing, this.#collection, toInsert);
    if (newEntries === STALE) throw new Error('the collection changed although it is locked');
    for (const [i, outcome] of created.entries()) outcome.entryId = newEntries[i]?.id;
    const changes = updated.flatMap(({ stored, checked: { values } }) =>
      stored ? [{ before: stored, values, status: 'active' as const }] : [],
    );
    const written = [...newEntries, ...(await updateEntries(tx, writing, this.#collection, changes))];
    const sources = [...created, ...updated];
    if (written.length !== sources.length)
      throw new Error('the number of written entries differs from that of the rows');
    return {
      entry_ids: written.map(({ id }) => id),
      versions: written.map(({ version }) => version),
      previous_values: sources.map(({ stored }) => stored?.values ?? null),
      row_numbers: sources.map(({ row }) => row),
    };
  }

  /** Returns a lookup of the entry that a row updates, an error, or undefined if the row creates an entry. */
  async #findEntries(tx: Tx, rows: readonly FileRow[], lock: boolean) {
    const accountId = this.#accountId;
    const keys = rows.flatMap(({ key }) => key ?? []);
    const field = this.#mapping.key?.column.field;
    const matches =
      field && keys.length > 0
        ? await findEntriesByKey(tx, { account_id: accountId, field_key: field.key, keys: keys.map(indexedKey) })
        : [];
    const byKey = Map.groupBy(matches, ({ sort_key }) => sort_key);
    const ids = [...rows.flatMap(({ entryId }) => entryId ?? []), ...matches.map(({ entry_id }) => entry_id)];
    const find = lock ? lockEntries : findEntries;
    const found = ids.length === 0 ? [] : await find(tx, accountId, this.#collection, [...new Set(ids)]);
    const entries = new Map(found.filter(isActive).map((entry) => [entry.id, entry]));
    return ({ entryId, key }: FileRow): WritableEntryRow | FieldError | undefined => {
      if (entryId !== undefined) return entries.get(entryId) ?? UNKNOWN_ENTRY;
      if (key === undefined || !field) return undefined;
      // The entry's value may have changed between the two lookups.
      const candidates = (byKey.get(key) ?? []).flatMap(({ entry_id }) => entries.get(entry_id) ?? []);
      const [first, second] = candidates.filter((entry) => entry.sort_keys[field.key] === key);
      if (second === undefined) return first;
      const detail = 'Several entries have this value. Match them by id instead.';
      return { field: field.id, code: 'key_ambiguous', detail };
    };
  }

  /** Fails the rows that name unknown assets. */
  async #checkAssets(tx: Tx, outcomes: readonly RowOutcome[], lock: boolean): Promise<void> {
    const ids = outcomes.flatMap(({ checked }) => checked.assets.map(({ assetId }) => assetId));
    if (ids.length === 0) return;
    const known = lock
      ? await lockAssets(tx, this.#accountId, ids, this.#publicUrl)
      : await findAssets(tx, this.#accountId, ids, this.#publicUrl);
    for (const outcome of outcomes) {
      const unknown = outcome.checked.assets.filter(({ assetId }) => !known.has(assetId));
      if (unknown.length === 0) continue;
      outcome.outcome = 'failed';
      outcome.errors = unknown.map(({ pointer }) => ({
        field: fieldOf(pointer.replace(/\/assetId$/, '')),
        code: 'asset_unknown',
        detail: 'There is no such file. Upload it first.',
      }));
    }
  }

  /** Fails the rows that reference unknown entries. */
  async #checkReferences(tx: Tx, outcomes: readonly RowOutcome[]): Promise<void> {
    const references = outcomes.flatMap((outcome) => outcome.checked.references.map((each) => ({ ...each, outcome })));
    if (references.length === 0) return;
    // The pointers of a row are unique, so that of a fault leads back to it by the row's number.
    const numbered = references.map((each) => ({ ...each, pointer: `${each.outcome.row} ${each.pointer}` }));
    const faults = await findReferenceFaults(tx, this.#accountId, numbered, this.#collection.access?.schema);
    const byRow = Map.groupBy(faults, ({ pointer }) => Number(pointer.split(' ', 1)[0]));
    for (const outcome of outcomes) {
      const errors = byRow.get(outcome.row);
      if (!errors) continue;
      outcome.outcome = 'failed';
      outcome.errors = errors.map(({ pointer, code, detail }) => {
        return { field: fieldOf(pointer.slice(pointer.indexOf('/'))), code, detail };
      });
    }
  }

  /** Fails the rows with a value that another entry or an earlier row has. */
  async #checkUnique(tx: Tx, outcomes: readonly RowOutcome[]): Promise<void> {
    const collection = this.#collection;
    const written = outcomes.filter(({ outcome }) => outcome === 'created' || outcome === 'updated');
    if (!hasUniqueValues(collection)) return;
    const entries = written.map(({ entryId, checked: { values } }) => ({ id: entryId, values }));
    const taken = await findTaken(tx, this.#accountId, collection, entries);
    for (const [i, outcome] of written.entries()) {
      const errors: FieldError[] = (taken[i] ?? []).map((fault) => ({ ...fault, field: fieldOf(fault.pointer) }));
      const keys = keysOfEntry(collection, '', sortKeysOf(collection, outcome.checked.values));
      for (const { field_key, sort_key } of keys) {
        const first = this.#claimed.get(`${field_key} ${sort_key}`) ?? outcome.row;
        if (first === outcome.row) continue;
        const field = uniqueFieldOf(collection, field_key);
        const detail = `"${field.label}" is unique. Row ${first} has this value.`;
        errors.push({ field: field.id, code: 'value_taken', detail });
      }
      if (errors.length > 0) {
        outcome.outcome = 'failed';
        outcome.errors = errors.map(({ field, code, detail }) => ({ field, code, detail }));
      } else for (const { field_key, sort_key } of keys) this.#claimed.set(`${field_key} ${sort_key}`, outcome.row);
    }
  }
}

const UNKNOWN_ENTRY: FieldError = { field: null, code: 'entry_unknown', detail: 'There is no entry with this id.' };
