import { hash } from 'node:crypto';
import { newUuid } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { StartedSession } from '../hooks.ts';
import { sessionDigests } from '../identifiers.ts';
import { IDLE_MS } from '../session-limits.ts';
import { LATE_MS } from '../sessions/settled.ts';
import { writeVisitSignals } from '../signals/write-visit-signals.ts';
import type { NewVisit } from './new-visit.ts';
import { restateSessions } from './restate-sessions.ts';
import {
  continueVisits,
  continueVisitsOnce,
  drawSessionNumbers,
  findCurrentSessions,
  findSessionHashes,
  lockVisitors,
  writeLateVisits,
  writeVisits,
} from './visit-queries.ts';
import { type VisitSession, VisitSessions } from './visit-sessions.ts';

export interface RecordedVisit {
  sessionNumber: number;
  sessionHash: string;
  visitorId: string;
}

interface Recording {
  recorded: RecordedVisit[];
  started: StartedSession[];
}

/** @param raced visits, by their place in the batch, of sessions that another process has started meanwhile: they are not written */
type Attempt = Recording & { raced: number[] };

const NUMBERS_PER_DRAW = 500;

/** Records batches of visits. */
export class VisitRecorder {
  readonly #db: Database;
  #numbers: number[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Records visits of any accounts, in their order, and returns the sessions that they started, or gave an earlier start.
   * @param tx a transaction to take part in; by default the batch has its own
   */
  async record(sent: NewVisit[], tx?: Tx): Promise<Recording> {
    const visits = await withHashes(tx ?? this.#db, sent);
    if (this.#numbers.length < visits.length) await this.#drawNumbers(this.#db, visits.length);
    // Only visits whose session the service chooses need a lock, and so a transaction around the lookup and the write.
    const needsLock = visits.some((visit) => lockKeys(visit).length > 0);
    const work = (inside: Tx, last: Tx) => this.#record(inside, last, visits);
    const own = tx ?? this.#db;
    const { raced, ...done } = await (needsLock && !tx ? this.#db.transaction(work) : work(own, own));
    if (raced.length === 0) return done;
    // The session is in the database now. If it is deleted by then, they start it.
    const again = await this.record(
      raced.map((i) => visits[i] as NewVisit),
      tx,
    );
    for (const [i, recorded] of again.recorded.entries()) done.recorded[raced[i] as number] = recorded;
    return { recorded: done.recorded, started: [...done.started, ...again.started] };
  }

  /** @param last where the statements that end the transaction are run */
  async #record(tx: Tx, last: Tx, visits: NewVisit[]): Promise<Attempt> {
    const sessions = await loadSessions(tx, visits);
    while (this.#numbers.length < visits.length) await this.#drawNumbers(tx, visits.length);
    const chosen = visits.map((visit) => ({ visit, ...sessions.choose(visit, () => this.#nextNumber()) }));
    const starts = sessions.restated();
    if (starts.length > 0 && tx === this.#db) {
      return this.#db.transaction((inside, end) => this.#record(inside, end, visits));
    }
    const now = Math.max(...visits.map(({ receivedAt }) => receivedAt));
    const restated = starts.length > 0 ? await restateSessions(tx, starts, now) : [];
    const newVisits = chosen.filter(({ isRepeated }) => !isRepeated).map(visitRow);
    const hasSignals = visits.some(({ consent, client }) => consent !== undefined || client !== undefined);
    const write = writingOf(visits, sessions.started());
    const written = await write(hasSignals ? tx : last, { ...sessions.rows(), visits: newVisits });
    const lost = new Set(written.flatMap((row) => sessions.applyWritten(row) ?? []));
    await writeVisitSignals(
      tx,
      chosen.flatMap(({ visit, session }) => (lost.has(session) ? [] : { visit, sessionNumber: session.number })),
    );
    return {
      recorded: chosen.map(({ visit, session }) => ({
        sessionNumber: session.number,
        sessionHash: session.hash,
        visitorId: visit.visitorId ?? session.visitorId,
      })),
      started: [
        ...restated,
        ...sessions.started().map(({ accountId, hash, number, landing }) => ({
          accountId,
          digests: sessionDigests({ hash, number, clickIds: landing.clickIds }),
        })),
      ],
      raced: chosen.flatMap(({ session }, i) => (lost.has(session) ? i : [])),
    };
  }

  #nextNumber(): number {
    const number = this.#numbers.pop();
    if (number === undefined) throw new Error('more sessions started than there are visits');
    return number;
  }

  async #drawNumbers(tx: Tx, needed: number): Promise<void> {
    const drawn = await drawSessionNumbers(tx, { count: Math.max(NUMBERS_PER_DRAW, needed) });
    // The lowest is used first, so that numbers increase with time.
    this.#numbers.unshift(...drawn.map(({ number }) => number).reverse());
  }
}

/** Visits with the hash of the session whose number they name, if there is one. */
async function withHashes(tx: Tx, visits: NewVisit[]): Promise<NewVisit[]> {
  const named = visits.flatMap(({ accountId, sessionNumber }) =>
    sessionNumber === undefined ? [] : [{ account_id: accountId, number: sessionNumber }],
  );
  if (named.length === 0) return visits;
  const found = await findSessionHashes(tx, { sessions: named });
  const hashes = new Map(found.map(({ account_id, number, hash }) => [`${account_id} ${number}`, hash]));
  return visits.map((visit) => {
    const sessionHash = visit.sessionHash ?? hashes.get(`${visit.accountId} ${visit.sessionNumber}`);
    return { ...visit, sessionHash };
  });
}

/** The statement that does no more than these visits need. */
function writingOf(visits: readonly NewVisit[], started: readonly VisitSession[]): typeof writeVisits {
  const isLate = ({ startedAt, startedBy }: VisitSession) => startedAt < (startedBy?.receivedAt ?? 0) - LATE_MS;
  if (started.length > 0) return started.some(isLate) ? writeLateVisits : writeVisits;
  return visits.some(({ visitId }) => visitId !== undefined) ? continueVisitsOnce : continueVisits;
}

async function loadSessions(tx: Tx, visits: readonly NewVisit[]): Promise<VisitSessions> {
  const batch = {
    hashes: [] as { account_id: string; hash: string }[],
    visitors: [] as { account_id: string; visitor_id: string; started_by: number }[],
    visits: [] as { account_id: string; visit_id: string; is_trusted: boolean }[],
  };
  for (const { accountId, sessionHash, visitorId, visitId, isTrusted, occurredAt } of visits) {
    if (sessionHash !== undefined) batch.hashes.push({ account_id: accountId, hash: sessionHash });
    else if (visitorId !== undefined) {
      const startedBy = occurredAt + IDLE_MS;
      batch.visitors.push({ account_id: accountId, visitor_id: visitorId, started_by: startedBy });
    }
    if (visitId !== undefined) {
      batch.visits.push({ account_id: accountId, visit_id: visitId, is_trusted: isTrusted });
    }
  }
  if (batch.hashes.length + batch.visitors.length + batch.visits.length === 0) return new VisitSessions([]);
  const keys = visits.flatMap(lockKeys);
  // Sent together. The lookup sees what was committed until the locks were granted.
  const locking = keys.length > 0 ? lockVisitors(tx, { keys }) : undefined;
  const [found] = await Promise.all([findCurrentSessions(tx, batch), locking]);
  const sessions = new VisitSessions(found);
  const late = visits.filter((visit) => sessions.isLate(visit));
  if (late.length === 0) return sessions;
  const visitors = late.map(({ accountId, visitorId = '', occurredAt }) => {
    return { account_id: accountId, visitor_id: visitorId, started_by: occurredAt };
  });
  sessions.add(await findCurrentSessions(tx, { hashes: [], visitors, visits: [] }));
  return sessions;
}

/** What must be locked while the service chooses the session of a visit: its visitor and its client id. */
function lockKeys({ accountId, sessionHash, visitorId, visitId }: NewVisit): string[] {
  if (sessionHash !== undefined) return [];
  const names = [visitorId !== undefined && `visitor ${visitorId}`, visitId !== undefined && `visit ${visitId}`];
  return names.flatMap((name) =>
    name ? hash('sha256', `${accountId} ${name}`, 'buffer').readBigInt64BE().toString() : [],
  );
}

function visitRow({ visit, session }: { visit: NewVisit; session: VisitSession }) {
  return {
    account_id: visit.accountId,
    id: newUuid(visit.receivedAt),
    client_visit_id: visit.visitId ?? null,
    is_trusted: visit.isTrusted,
    session_hash: session.hash,
    session_number: session.number,
    url: visit.url,
    referrer: visit.referrer,
    title: visit.title,
    visitor_id: visit.visitorId ?? session.visitorId,
    is_bot: visit.isBot,
    is_internal: visit.isInternal,
    occurred_at: visit.occurredAt,
    received_at: visit.receivedAt,
  };
}
