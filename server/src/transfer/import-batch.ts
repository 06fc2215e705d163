import {
  type BatchRow,
  type BatchWriting,
  type Collection,
  changeBatch,
  createBatch,
  findByKeys,
  findEntries,
  isActive,
  lockEntries,
  sortKey,
  type Values,
} from '../content/index.ts';
import { findAssets, holdAssets } from '../files/index.ts';
import { csvLine, defuse } from '../shared/csv.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { CellFault } from './cell-fault.ts';
import { type FieldFault, fieldOf, type Judgement, judgeChange, judgeNew } from './judge-row.ts';
import type { RowCounts } from './queries.ts';
import { readCell } from './read-cell.ts';
import type { BoundPlan } from './read-plan.ts';

/** A row of the file, as a spreadsheet counts it, and, once it was looked at, how its entry is found. */
export interface FileRow {
  row: number;
  cells: string[];
  /** UUID. */
  entryId?: string | undefined;
  /** A sort key of the plan's key field. */
  key?: string | undefined;
  fault?: FieldFault | undefined;
}

export interface RowOutcome {
  row: number;
  does: 'created' | 'changed' | 'unchanged' | 'refused';
  faults: FieldFault[];
  /** UUID of its entry, where it has one. */
  entryId: string | undefined;
  values: Values;
  before: BatchRow | undefined;
}

export interface WrittenRow {
  row: number;
  id: string;
  version: number;
  before: string | null;
}

export const emptyCounts = (): RowCounts => ({
  rows: 0,
  created: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  faults: [],
});

export const RESULT_HEADINGS = csvLine(['row', 'outcome', 'id', 'codes', 'details']);

export function resultLine({ row, does, entryId, faults }: RowOutcome): string {
  return csvLine([
    String(row),
    does,
    entryId === undefined ? '' : publicId('ent', entryId),
    faults.map(({ field, code }) => (field === null ? code : `${field}: ${code}`)).join('; '),
    defuse(faults.map(({ detail }) => detail).join(' ')),
  ]);
}

/** Finds the entries of rows, judges the rows by them, and writes what comes of it. */
export class RowMatcher {
  readonly #accountId: string;
  readonly #publicUrl: string;
  #collection: Collection;
  #plan: BoundPlan;
  /** What rows were found by so far: two of one file do not change the same entry. */
  readonly #seen = new Set<string>();

  constructor(accountId: string, collection: Collection, plan: BoundPlan, publicUrl: string) {
    this.#accountId = accountId;
    this.#collection = collection;
    this.#plan = plan;
    this.#publicUrl = publicUrl;
  }

  rebind(collection: Collection, plan: BoundPlan): void {
    this.#collection = collection;
    this.#plan = plan;
  }

  /** What the row's entry is to be found by. Called for each row of the file once, in their order. */
  identify(row: FileRow): FileRow {
    const { idColumn, key: keyColumn, forms, width } = this.#plan;
    const { cells } = row;
    if (cells.length !== width) {
      const detail = `The row has ${cells.length} cells, the first line ${width}.`;
      return { ...row, fault: { field: null, code: 'cells_wrong', detail } };
    }
    let found: string | undefined;
    if (idColumn !== undefined) {
      const id = cells[idColumn]?.trim() ?? '';
      if (id === '') return row;
      found = parseId('ent', id);
      if (found === undefined) return { ...row, fault: unknownEntry };
    } else if (keyColumn !== undefined) {
      const { at, target } = keyColumn;
      const cell = cells[at] ?? '';
      if (cell.trim() === '') {
        return { ...row, fault: { field: target.name, code: 'required', detail: 'Rows are found by this field.' } };
      }
      const value = readCell(target, cell, undefined, forms);
      // What is wrong with it is told where the row is judged.
      if (value instanceof CellFault) return row;
      found = sortKey(target.field.type, value);
    } else return row;
    const isRepeated = this.#seen.has(found);
    this.#seen.add(found);
    if (isRepeated) {
      const detail = 'An earlier row of the file is for the same entry.';
      return { ...row, fault: { field: keyColumn?.target.name ?? null, code: 'row_repeated', detail } };
    }
    return keyColumn ? { ...row, key: found } : { ...row, entryId: found };
  }

  /** @param hold whether entries and files are held until the transaction ends, so that they can be written */
  async judge(tx: Tx, rows: readonly FileRow[], hold: boolean): Promise<RowOutcome[]> {
    const entries = await this.#findEntries(tx, rows, hold);
    const judged = rows.map((row): { outcome: RowOutcome; assets: { pointer: string; assetId: string }[] } => {
      const before = entries.of(row);
      const base = { row: row.row, faults: [], entryId: undefined, values: {}, before: undefined };
      if (row.fault || before instanceof Missing) {
        const fault = row.fault ?? (before as Missing).fault;
        return { outcome: { ...base, does: 'refused', faults: [fault] }, assets: [] };
      }
      const verdict: Judgement = before
        ? judgeChange(this.#collection, this.#plan, row.cells, JSON.parse(before.values))
        : judgeNew(this.#collection, this.#plan, row.cells);
      const known = { ...base, entryId: before?.id, before };
      if (verdict.does === 'fail')
        return { outcome: { ...known, does: 'refused', faults: verdict.faults }, assets: [] };
      if (verdict.does === 'nothing') return { outcome: { ...known, does: 'unchanged' }, assets: [] };
      const does = verdict.does === 'create' ? 'created' : 'changed';
      return { outcome: { ...known, does, values: verdict.values }, assets: verdict.assets };
    });
    await this.#refuseUnknownAssets(tx, judged, hold);
    return judged.map(({ outcome }) => outcome);
  }

  /** Writes what was judged to be written; the outcomes get their entries' ids. */
  async write(tx: Tx, outcomes: readonly RowOutcome[], writing: BatchWriting): Promise<WrittenRow[]> {
    const created = outcomes.filter(({ does }) => does === 'created');
    const changed = outcomes.filter(({ does }) => does === 'changed');
    const made = await createBatch(
      tx,
      writing,
      this.#collection,
      created.map(({ values }) => values),
    );
    const changes = changed.flatMap(({ before, values }) =>
      before ? [{ before, values, status: 'active' as const }] : [],
    );
    const written = await changeBatch(tx, writing, this.#collection, changes);
    for (const [i, outcome] of created.entries()) outcome.entryId = made[i]?.id;
    const rowsOf = (some: readonly RowOutcome[], entries: typeof made) =>
      some.map(({ row, before }, i): WrittenRow => {
        const entry = entries[i];
        if (!entry) throw new Error('an entry was written and not answered');
        return { row, id: entry.id, version: entry.version, before: before?.values ?? null };
      });
    return [...rowsOf(created, made), ...rowsOf(changed, written)];
  }

  async #findEntries(tx: Tx, rows: readonly FileRow[], hold: boolean) {
    const accountId = this.#accountId;
    const collectionId = this.#collection.id;
    const keys = rows.flatMap(({ key }) => key ?? []);
    const field = this.#plan.key?.target.field;
    const hits = field && keys.length > 0 ? await findByKeys(tx, accountId, field.key, keys) : [];
    const byKey = Map.groupBy(hits, ({ sort_key }) => sort_key);
    const ids = [...rows.flatMap(({ entryId }) => entryId ?? []), ...hits.map(({ entry_id }) => entry_id)];
    const find = hold ? lockEntries : findEntries;
    const found = ids.length === 0 ? [] : await find(tx, accountId, collectionId, [...new Set(ids)]);
    const entries = new Map(found.filter(isActive).map((entry) => [entry.id, entry]));
    return {
      /** The entry that a row changes; undefined: it makes one. */
      of({ entryId, key }: FileRow): BatchRow | Missing | undefined {
        if (entryId !== undefined) return entries.get(entryId) ?? new Missing(unknownEntry);
        if (key === undefined || !field) return undefined;
        // Whoever holds it may have been changed between the two look-ups.
        const same = (byKey.get(key) ?? []).flatMap(({ entry_id }) => entries.get(entry_id) ?? []);
        const [first, second] = same.filter((entry) => entry.keys[field.key] === key);
        if (second === undefined) return first;
        const detail = 'Several entries have this value: they cannot be told apart.';
        return new Missing({ field: field.id, code: 'key_ambiguous', detail });
      },
    };
  }

  async #refuseUnknownAssets(
    tx: Tx,
    judged: readonly { outcome: RowOutcome; assets: { pointer: string; assetId: string }[] }[],
    hold: boolean,
  ): Promise<void> {
    const named = judged.flatMap(({ assets }) => assets.map(({ assetId }) => assetId));
    if (named.length === 0) return;
    const known = hold
      ? await holdAssets(tx, this.#accountId, named)
      : await findAssets(tx, this.#accountId, named, this.#publicUrl);
    for (const { outcome, assets } of judged) {
      const unknown = assets.filter(({ assetId }) => !known.has(assetId));
      if (unknown.length === 0) continue;
      outcome.does = 'refused';
      outcome.faults = unknown.map(({ pointer }) => {
        const field = fieldOf(pointer.replace(/\/assetId$/, ''));
        return { field, code: 'asset_unknown', detail: 'There is no such file.' };
      });
    }
  }
}

class Missing {
  readonly fault: FieldFault;

  constructor(fault: FieldFault) {
    this.fault = fault;
  }
}

const unknownEntry: FieldFault = { field: null, code: 'entry_unknown', detail: 'There is no entry of this id.' };
