import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvParser, explainCsvError, readHead } from '../../shared/csv-rows.ts';
import { ApiError } from '../../shared/errors.ts';
import { FIRST_ID } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime, startOfDay } from '../../shared/time.ts';
import { findSessions, identify } from '../../tracking/index.ts';
import { readUnits } from './amounts.ts';
import {
  assignOrders,
  compareLine,
  faulty,
  hasAmountOf,
  missingHere,
  missingThere,
  type Tolerance,
  Totals,
} from './compare.ts';
import { type Cells, PROVIDERS } from './providers.ts';
import {
  deleteLines,
  deleteReconciliationParts,
  type FoundConversion,
  findByIdentifiers,
  findOfPeriod,
  findOfSessions,
  findReconciliation,
  findReconciliationPart,
  findUnmatchedIdentifiers,
  insertLines,
  lockReconciliation,
  type NewLine,
  type Result,
  type Settings,
  updateReconciliation,
} from './queries.ts';
import { hasTypes, itemsOfJson, type Line, missingColumns, Statement } from './read-statement.ts';

/** Why a file cannot be compared, as the error of the job. */
export class ReconciliationError extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

export interface ReconcilePlan {
  accountId: string;
  reconciliationId: string;
  timeZone: string;
  maxRows: number;
  now: number;
}

const BATCH = 2_000;
/** Columns that an error names. */
const EXAMPLES = 3;
/** Conversions of a period that are missing there. */
const MAX_MISSING = 200_000;

/** Reads the file, compares it, and stores each line. Runs again from the start after an interruption. */
export async function reconcile(
  db: Database,
  ids: SessionIds,
  plan: ReconcilePlan,
  report: (progress: number) => void,
): Promise<Result | undefined> {
  const key = { account_id: plan.accountId, id: plan.reconciliationId };
  const [row] = await findReconciliation(db, key);
  if (!row) return undefined;
  if (row.result) return row.result;
  const { settings } = row;
  const statement = await readFile(db, plan, settings);
  report(0.3);
  const { found, lines, ambiguous, claimed } = await match(db, ids, plan.accountId, statement.lines());
  report(0.6);
  const tolerance: Tolerance = {
    absolute: unitsOfNumber(settings.tolerance ?? 0.01),
    share: settings.toleranceShare ?? 0,
  };
  const totals = new Totals();
  const writer = new Writer(db, key, totals);
  await deleteLines(db, key);
  for (const fault of statement.faults) await writer.add(faulty(fault));
  const unmatched = lines.length > found.size ? await unmatchedIdentifiers(db, plan.accountId) : new Set<string>();
  for (const line of lines) {
    const conversion = found.get(line);
    await writer.add(
      conversion
        ? compareLine(line, conversion, tolerance)
        : missingHere(
            line,
            line.identifiers.some((each) => unmatched.has(each))
              ? 'unmatched'
              : ambiguous.has(line)
                ? 'ambiguous'
                : null,
          ),
    );
  }
  for (const id of await findNamed(db, ids, plan.accountId, statement)) claimed.add(id);
  report(0.8);
  const period = periodOf(lines, settings, plan.timeZone);
  if (period) {
    let missing = 0;
    for await (const conversion of conversionsOf(db, plan.accountId, period, settings)) {
      if (!conversion.counts || claimed.has(conversion.id)) continue;
      if (++missing > MAX_MISSING) {
        throw new ReconciliationError(
          'too_many_missing',
          `More than ${MAX_MISSING} conversions of the period are not in the file. Narrow it by \`from\`, \`to\`, \`event\` or \`source\`.`,
        );
      }
      await writer.add(missingThere(conversion));
    }
  }
  await writer.flush();
  const result: Result = {
    ...{ rows: statement.rows, ignored: statement.ignored, faulty: statement.faults.length },
    from: period ? isoTime(period.from) : null,
    to: period ? isoTime(period.to) : null,
    outcomes: totals.result(),
  };
  await db.transaction(async (tx) => {
    const [locked] = await lockReconciliation(tx, key);
    if (!locked) return;
    const { job_id, import_id, is_applied } = locked;
    await updateReconciliation(tx, {
      ...key,
      result: JSON.stringify(result),
      error: null,
      job_id,
      import_id,
      is_applied,
    });
    await deleteReconciliationParts(tx, key);
  });
  return result;
}

const unitsOfNumber = (value: number) => {
  const units = readUnits(value.toFixed(6), 'point');
  return typeof units === 'bigint' ? units : 0n;
};

async function readFile(db: Database, plan: ReconcilePlan, settings: Settings): Promise<Statement> {
  const { identifierColumn: identifier, amountColumn: amount, currencyColumn: currency, dateColumn: date } = settings;
  const columns = Object.fromEntries(
    Object.entries({ identifier, amount, currency, date }).filter(([, name]) => name !== undefined),
  );
  const how = { provider: settings.provider, amount: settings.amount ?? ('gross' as const), columns };
  const statement = new Statement(
    {
      ...how,
      decimalMark: settings.decimalMark ?? 'auto',
      dateOrder: settings.dateOrder ?? 'auto',
      timeZone: settings.timeZone ?? plan.timeZone,
      currency: settings.currency ?? null,
    },
    plan.now,
  );
  const refuseTooMany = () => {
    if (statement.rows > plan.maxRows) {
      throw new ReconciliationError('too_many_rows', `The file has too many rows. The limit is ${plan.maxRows}.`);
    }
  };
  const first = await findReconciliationPart(db, { account_id: plan.accountId, id: plan.reconciliationId, number: 0 });
  const head = new TextDecoder().decode(first[0]?.bytes);
  if (/^\s*[[{]/.test(head)) {
    const items = readItems(await readText(db, plan), settings);
    for (const [i, item] of items.entries()) {
      statement.add(i + 1, item, true);
      refuseTooMany();
    }
    return statement;
  }
  try {
    const { delimiter, headings } = readHead(head);
    const names = headings.map((heading) => heading.toLowerCase());
    const unknown = Object.values(columns).find((name) => name !== undefined && !names.includes(name.toLowerCase()));
    if (unknown !== undefined) {
      throw new ReconciliationError(
        'column_unknown',
        `The file has no column \`${unknown}\`. It has: ${headings.join(', ').slice(0, 500)}.`,
      );
    }
    const missing = missingColumns(how, names);
    if (missing) {
      const example = missing
        .slice(0, EXAMPLES)
        .map((each) => `\`${each}\``)
        .join(', ');
      const has = headings.join(', ').slice(0, 500);
      const other = PROVIDERS.find(
        (provider) => hasTypes(provider, names) && !missingColumns({ ...how, provider }, names),
      );
      throw new ReconciliationError(
        'columns_missing',
        other === undefined
          ? `The file has no column such as ${example}. It has: ${has}.`
          : `The file has no column such as ${example}. It has: ${has}. Its columns are those of the provider \`${other}\`.`,
      );
    }
    const parser = csvParser(delimiter);
    // An error in it is thrown where the rows are read.
    pipeline(Readable.from(readParts(db, plan)), parser).catch(() => {});
    let row = 0;
    for await (const values of parser as AsyncIterable<string[]>) {
      row++;
      if (row === 1 || values.every((value) => value.trim() === '')) continue;
      const cells: Record<string, string> = {};
      // Of several columns with one name the first counts.
      for (const [i, name] of names.entries()) if (!Object.hasOwn(cells, name)) cells[name] = values[i] ?? '';
      const extra = values.slice(names.length).filter((value) => value.trim() !== '').length;
      statement.add(row, cells, false, extra);
      refuseTooMany();
    }
    return statement;
  } catch (error) {
    const explanation = error instanceof ApiError ? error.message : explainCsvError(error);
    throw explanation === undefined ? error : new ReconciliationError('csv_malformed', explanation);
  }
}

function readItems(text: string, { provider }: Settings): Cells[] {
  try {
    const items = itemsOfJson(text, provider);
    if (items) return items;
  } catch (cause) {
    throw new ReconciliationError('json_invalid', `The file is not valid JSON: ${(cause as Error).message}.`);
  }
  throw new ReconciliationError('json_invalid', 'The JSON file contains no list of transactions.');
}

async function readText(db: Database, plan: ReconcilePlan): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of readParts(db, plan)) parts.push(part);
  return new TextDecoder().decode(Buffer.concat(parts));
}

async function* readParts(db: Database, { accountId, reconciliationId }: ReconcilePlan) {
  for (let number = 0; ; number++) {
    const [part] = await findReconciliationPart(db, { account_id: accountId, id: reconciliationId, number });
    if (!part) return;
    yield part.bytes;
  }
}

/**
 * With the plan for any account: for one that is newer than the statistics all indexes cost the same on paper, and one that has only the account in
 * common with the statement read its 3,000 conversions for each of 8,000 IDs (9.5 s, and 0.1 with this).
 */
const byIndex = <Row>(db: Database, find: (tx: Tx) => Promise<Row[]>) => db.transaction(find, { keepsPlans: true });

/** Finds the conversion of each line: by its identifiers in their order, else by its session, unless there is a doubt. */
async function match(db: Database, ids: SessionIds, accountId: string, all: readonly Line[]) {
  const merged = new Set<Line>();
  const found = new Map<Line, FoundConversion>();
  const lineOf = new Map<string, Line>();
  for (const part of parts(all)) {
    const event_ids = [...new Set(part.flatMap(({ identifiers }) => identifiers))];
    const rows =
      event_ids.length > 0
        ? await byIndex(db, (tx) => findByIdentifiers(tx, { account_id: accountId, event_ids }))
        : [];
    const byEventId = new Map(rows.map((row) => [row.event_id, row]));
    for (const line of part) {
      const conversion = line.identifiers.map((each) => byEventId.get(each)).find((each) => each);
      if (!conversion) continue;
      const first = lineOf.get(conversion.id);
      if (first && first.currency === line.currency) {
        // Two names of one order: it is the sum of both.
        first.amount += line.amount;
        first.isRefund &&= line.isRefund;
        first.hasFault ||= line.hasFault;
        first.rows = [...first.rows, ...line.rows].slice(0, 100);
        merged.add(line);
        continue;
      }
      lineOf.set(conversion.id, line);
      found.set(line, conversion);
    }
  }
  const lines = all.filter((line) => !merged.has(line));
  const claimed = new Set([...found.values()].map(({ id }) => id));
  const ambiguous = new Set<Line>();
  // Otherwise the conversions may have other IDs than the file.
  const sharesIds = found.size > 0;
  const bySession = new Map<number, Line[]>();
  for (const line of lines) {
    // It could not be reported by what no session can have.
    if (line.click && !identify(ids, line.click.name, line.click.value)) line.click = null;
  }
  const byClick = lines.filter((line) => !found.has(line) && line.click);
  for (const [i, session] of (await sessionsOf(db, ids, accountId, byClick)).entries()) {
    const line = byClick[i];
    if (line && session !== undefined) bySession.getOrInsertComputed(session, () => []).push(line);
  }
  for (const sessions of parts([...bySession.keys()])) {
    const rows = await byIndex(db, (tx) => findOfSessions(tx, { account_id: accountId, sessions }));
    const ofSession = Map.groupBy(
      rows.filter(({ id }) => !claimed.has(id)),
      (row) => row.session_number,
    );
    for (const session of sessions) {
      const ofLines = bySession.get(session) ?? [];
      const { assigned, ambiguous: rest, free } = assignOrders(ofLines, ofSession.get(session) ?? []);
      for (const [line, conversion] of assigned) {
        found.set(line, conversion);
        claimed.add(conversion.id);
      }
      const others = sharesIds ? [] : ofLines.filter(hasAmountOf(free));
      for (const line of [...rest, ...others]) if (!assigned.has(line)) ambiguous.add(line);
      // They are not missing there.
      if (rest.length + others.length > 0) for (const { id } of free) claimed.add(id);
    }
  }
  return { found, lines, ambiguous, claimed };
}

/** The sessions of click IDs, in their order. */
async function sessionsOf(
  db: Database,
  ids: SessionIds,
  accountId: string,
  lines: readonly Pick<Line, 'click'>[],
): Promise<(number | undefined)[]> {
  const sessions: (number | undefined)[] = [];
  for (const part of parts(lines)) {
    const lookups = part.map(({ click }) => click && identify(ids, click.name, click.value));
    const found = await findSessions(
      db,
      lookups.flatMap((identifier) => (identifier ? [{ accountId, identifier }] : [])),
    );
    let next = 0;
    for (const identifier of lookups) sessions.push(identifier ? found[next++] : undefined);
  }
  return sessions;
}

/** The conversions that invalid rows are about, and those of which no money has moved yet. */
async function findNamed(db: Database, ids: SessionIds, account_id: string, { named, clicks }: Statement) {
  const found: string[] = [];
  for (const event_ids of parts([...named])) {
    for (const { id } of await byIndex(db, (tx) => findByIdentifiers(tx, { account_id, event_ids }))) found.push(id);
  }
  const sessions = await sessionsOf(
    db,
    ids,
    account_id,
    clicks.map((click) => ({ click })),
  );
  for (const part of parts(sessions.filter((session) => session !== undefined))) {
    for (const { id } of await byIndex(db, (tx) => findOfSessions(tx, { account_id, sessions: part }))) found.push(id);
  }
  return found;
}

function parts<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) => items.slice(i * BATCH, (i + 1) * BATCH));
}

async function unmatchedIdentifiers(db: Database, account_id: string): Promise<Set<string>> {
  const identifiers = new Set<string>();
  for (let after = FIRST_ID; ; ) {
    const rows = await findUnmatchedIdentifiers(db, { account_id, after, limit: BATCH });
    for (const { event_id } of rows) if (event_id !== null) identifiers.add(event_id);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return identifiers;
    after = last.id;
  }
}

interface Period {
  from: number;
  to: number;
}

/** The whole days from the first to the last row, unless the settings say otherwise. */
function periodOf(lines: readonly Line[], { from, to }: Settings, timeZone: string): Period | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, isRefund } of lines) {
    // A refund says nothing of when its sale was.
    if (at === null || isRefund) continue;
    first = Math.min(first, Date.parse(at));
    last = Math.max(last, Date.parse(at));
  }
  const dayOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).startOfDay();
  const start =
    from === undefined
      ? Number.isFinite(first)
        ? dayOf(first).epochMilliseconds
        : undefined
      : startOfDay(from, timeZone);
  const end =
    to === undefined
      ? Number.isFinite(last)
        ? dayOf(last).add({ days: 1 }).startOfDay().epochMilliseconds
        : undefined
      : startOfDay(to, timeZone);
  return start === undefined || end === undefined || start >= end ? undefined : { from: start, to: end };
}

async function* conversionsOf(db: Database, account_id: string, period: Period, { event, source }: Settings) {
  let [after, after_id] = [new Date(period.from), '00000000-0000-0000-0000-000000000000'];
  const range = { from: new Date(period.from), to: new Date(period.to), event: event ?? null, source: source ?? null };
  for (;;) {
    const rows = await findOfPeriod(db, { account_id, ...range, after, after_id, limit: BATCH });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    [after, after_id] = [last.created_on, last.id];
  }
}

/** Numbers and inserts lines, many at a time. */
class Writer {
  readonly #db: Database;
  readonly #key: { account_id: string; id: string };
  readonly #totals: Totals;
  #lines: NewLine[] = [];
  #next = 1;

  constructor(db: Database, key: { account_id: string; id: string }, totals: Totals) {
    this.#db = db;
    this.#key = key;
    this.#totals = totals;
  }

  async add(line: Omit<NewLine, 'number'>): Promise<void> {
    this.#totals.add(line);
    this.#lines.push({ ...line, number: this.#next++ });
    if (this.#lines.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) await insertLines(this.#db, { ...this.#key, lines });
  }
}
