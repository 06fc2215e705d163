import { hash } from 'node:crypto';
import { newUuid } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { shortHashOf } from './identifier.ts';
import { type Landing, readLanding } from './landing.ts';
import { drawSessionNumbers, findCurrentSessions, lockVisitors, type SessionRow, writeVisits } from './queries.ts';
import type { BegunSession } from './reactions.ts';
import { clickDigestsOf, digestsOf } from './session-digests.ts';
import { makeSessionHash } from './session-hash.ts';
import { goesOn, IDLE_MS, type SessionState } from './session-rules.ts';
import { sourceOf } from './source-medium.ts';
import type { Device } from './user-agent.ts';

/** A visit as it was asked for, checked. */
export interface NewVisit {
  accountId: string;
  /** The page's own id of the visit: makes a retry harmless. */
  visitId: string | undefined;
  url: string;
  landing: Landing;
  referrer: string | null;
  title: string | null;
  visitorId: string | undefined;
  sessionHash: string | undefined;
  device: Device;
  isBot: boolean;
  isInternal: boolean;
  country: string | null;
  /** Milliseconds since 1970. */
  occurredAt: number;
  receivedAt: number;
}

export interface RecordedVisit {
  sessionNumber: number;
  sessionHash: string;
  visitorId: string;
}

interface Session extends SessionState {
  accountId: string;
  number: number;
  hash: string;
  visitorId: string;
  /** The visit that began it, where it is new. */
  begunBy: NewVisit | undefined;
}

const NUMBERS_AT_ONCE = 500;

/** Records visits, a batch in one transaction. */
export class VisitRecorder {
  readonly #db: Database;
  #numbers: number[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Records the visits of any accounts, in their order, and tells which sessions began.
   * @param tx a transaction to take part in; without one the batch is its own
   */
  async record(visits: NewVisit[], tx?: Tx): Promise<{ recorded: RecordedVisit[]; begun: BegunSession[] }> {
    if (this.#numbers.length < visits.length) await this.#drawNumbers(visits.length);
    // Only where the service decides must visits follow one another; the others' look and write need no transaction.
    const decides = visits.some((visit) => locksOf(visit).length > 0);
    const work = (inside: Tx) => this.#record(inside, visits);
    return decides && !tx ? this.#db.transaction(work) : work(tx ?? this.#db);
  }

  async #record(tx: Tx, visits: NewVisit[]) {
    const sessions = await loadSessions(tx, visits);
    const chosen = visits.map((visit) => ({ visit, ...sessions.choose(visit, () => this.#nextNumber()) }));
    const fresh = chosen.filter(({ repeated }) => !repeated);
    for (const row of await writeVisits(tx, ...sessions.parameters(), ...visitParameters(fresh)))
      sessions.renumber(row);
    return {
      recorded: chosen.map(({ visit, session }) => ({
        sessionNumber: session.number,
        sessionHash: session.hash,
        visitorId: visit.visitorId ?? session.visitorId,
      })),
      begun: sessions.begun().map((session) => ({
        accountId: session.accountId,
        digests: digestsOf(session.hash, session.number, session.landing.clickIds),
      })),
    };
  }

  #nextNumber(): number {
    const number = this.#numbers.pop();
    if (number === undefined) throw new Error('more sessions began than visits came');
    return number;
  }

  async #drawNumbers(needed: number): Promise<void> {
    const rows = await drawSessionNumbers(this.#db, Math.max(NUMBERS_AT_ONCE, needed));
    // The lowest is taken first, so that numbers go up with time.
    this.#numbers = rows.map((row) => row.number).reverse();
  }
}

async function loadSessions(tx: Tx, visits: NewVisit[]): Promise<Sessions> {
  const byHash = visits.filter((visit) => visit.sessionHash !== undefined);
  const byVisitor = visits.filter((visit) => visit.sessionHash === undefined && visit.visitorId !== undefined);
  const byVisit = visits.filter((visit) => visit.visitId !== undefined);
  if (byHash.length + byVisitor.length + byVisit.length === 0) return new Sessions([]);
  const locks = visits.flatMap(locksOf);
  if (locks.length > 0) await lockVisitors(tx, locks);
  const rows = await findCurrentSessions(
    tx,
    byHash.map((visit) => visit.accountId),
    byHash.map((visit) => visit.sessionHash),
    byVisitor.map((visit) => visit.accountId),
    byVisitor.map((visit) => visit.visitorId),
    byVisitor.map((visit) => isoTime(visit.occurredAt + IDLE_MS)),
    byVisit.map((visit) => visit.accountId),
    byVisit.map((visit) => visit.visitId),
  );
  return new Sessions(rows);
}

/** What a visit must be alone with while its session is decided: its visitor, and its own id. */
function locksOf({ accountId, sessionHash, visitorId, visitId }: NewVisit): string[] {
  if (sessionHash !== undefined) return [];
  const named = [visitorId !== undefined && `visitor ${visitorId}`, visitId !== undefined && `visit ${visitId}`];
  return named.flatMap((name) =>
    name ? hash('sha256', `${accountId} ${name}`, 'buffer').readBigInt64BE().toString() : [],
  );
}

/** The sessions that a batch of visits is about: those there were, and those that it begins. */
class Sessions {
  readonly #byHash = new Map<string, Session>();
  readonly #ofVisitor = new Map<string, Session[]>();
  readonly #ofVisit = new Map<string, Session>();
  readonly #touched = new Set<Session>();
  readonly #begun: Session[] = [];

  constructor(rows: SessionRow[]) {
    for (const row of rows) {
      // One row for each way it was asked for, one object for all.
      const session = this.#byHash.get(`${row.account_id} ${row.hash}`) ?? {
        accountId: row.account_id,
        number: row.number,
        hash: row.hash,
        visitorId: row.visitor_id,
        startedAt: row.started_at.getTime(),
        lastSeenAt: row.last_seen_at.getTime(),
        get landing() {
          return readLanding(row.landing_url);
        },
        begunBy: undefined,
      };
      this.#remember(session);
      if (row.visit_id !== null) this.#ofVisit.set(`${row.account_id} ${row.visit_id}`, session);
    }
  }

  /** The session of a visit, and whether the visit was recorded before. */
  choose(visit: NewVisit, nextNumber: () => number): { session: Session; repeated: boolean } {
    const key = `${visit.accountId} ${visit.visitId}`;
    const before = visit.visitId === undefined ? undefined : this.#ofVisit.get(key);
    if (before) return { session: before, repeated: true };
    const session = this.#current(visit) ?? this.#begin(visit, nextNumber());
    if (visit.visitId !== undefined) this.#ofVisit.set(key, session);
    return { session, repeated: false };
  }

  /** The named session, or the visitor's where the rules let it go on. */
  #current(visit: NewVisit): Session | undefined {
    const { accountId, sessionHash, visitorId, occurredAt } = visit;
    const session =
      sessionHash !== undefined
        ? this.#byHash.get(`${accountId} ${sessionHash}`)
        : visitorId !== undefined
          ? this.#ofVisitorAt(`${accountId} ${visitorId}`, occurredAt)
          : undefined;
    if (!session || (sessionHash === undefined && !goesOn(session, visit.landing, occurredAt))) return undefined;
    session.lastSeenAt = Math.max(session.lastSeenAt, occurredAt);
    if (!session.begunBy) this.#touched.add(session);
    return session;
  }

  /** The visitor's latest session that began by then. */
  #ofVisitorAt(visitor: string, at: number): Session | undefined {
    const sessions = this.#ofVisitor.get(visitor)?.filter(({ startedAt }) => startedAt <= at + IDLE_MS);
    return sessions?.reduce(
      (latest, each) => (latest.startedAt <= each.startedAt ? each : latest),
      sessions[0] as Session,
    );
  }

  #begin(visit: NewVisit, number: number): Session {
    const session: Session = {
      accountId: visit.accountId,
      number,
      hash: visit.sessionHash ?? makeSessionHash(),
      visitorId: visit.visitorId ?? makeSessionHash(),
      startedAt: visit.occurredAt,
      lastSeenAt: visit.occurredAt,
      landing: visit.landing,
      begunBy: visit,
    };
    this.#begun.push(session);
    this.#remember(session);
    return session;
  }

  /** Another process may have written the same hash first: its number is the session's. */
  renumber(row: { account_id: string; hash: string; number: number; began: boolean }): void {
    const session = this.#byHash.get(`${row.account_id} ${row.hash}`);
    if (!session) return;
    session.number = row.number;
    if (!row.began) session.begunBy = undefined;
  }

  begun(): Session[] {
    return this.#begun.filter((session) => session.begunBy !== undefined);
  }

  #remember(session: Session): void {
    this.#byHash.set(`${session.accountId} ${session.hash}`, session);
    const visitor = `${session.accountId} ${session.visitorId}`;
    const known = this.#ofVisitor.get(visitor);
    if (!known) this.#ofVisitor.set(visitor, [session]);
    else if (!known.includes(session)) known.push(session);
  }

  /** The first 29 parameters of `writeVisits`. */
  parameters(): unknown[] {
    const begun = this.#begun.flatMap((session) =>
      session.begunBy ? [{ session, visit: session.begunBy, from: sourceOf(session.begunBy) }] : [],
    );
    const clicks = begun.flatMap(({ session }) =>
      clickDigestsOf(session.landing.clickIds).map((digest) => ({ session, digest })),
    );
    const touched = [...this.#touched].sort((a, b) => a.number - b.number);
    return [
      begun.map(({ session }) => session.accountId),
      begun.map(({ session }) => session.number),
      begun.map(({ session }) => session.hash),
      begun.map(({ session }) => shortHashOf(session.hash)),
      begun.map(({ session }) => session.visitorId),
      begun.map(({ session }) => isoTime(session.startedAt)),
      begun.map(({ session }) => isoTime(session.lastSeenAt)),
      begun.map(({ visit }) => visit.url),
      begun.map(({ visit }) => visit.referrer),
      begun.map(({ from }) => from.source),
      begun.map(({ from }) => from.medium),
      begun.map(({ visit }) => visit.landing.campaign),
      begun.map(({ visit }) => visit.landing.term),
      begun.map(({ visit }) => visit.landing.content),
      begun.map(({ visit }) => visit.landing.utmId),
      begun.map(({ visit }) => JSON.stringify(visit.landing.clickIds)),
      begun.map(({ visit }) => visit.device.device),
      begun.map(({ visit }) => visit.device.browser),
      begun.map(({ visit }) => visit.device.os),
      begun.map(({ visit }) => visit.country),
      begun.map(({ visit }) => visit.isBot),
      begun.map(({ visit }) => visit.isInternal),
      clicks.map(({ session }) => session.accountId),
      clicks.map(({ session }) => session.hash),
      clicks.map(({ digest }) => digest),
      clicks.map(({ session }) => isoTime(session.startedAt)),
      touched.map((session) => session.accountId),
      touched.map((session) => session.number),
      touched.map((session) => isoTime(session.lastSeenAt)),
    ];
  }
}

/** The parameters of `writeVisits` from the 30th. */
function visitParameters(visits: { visit: NewVisit; session: Session }[]): unknown[] {
  return [
    visits.map(({ visit }) => visit.accountId),
    visits.map(({ visit }) => newUuid(visit.receivedAt)),
    visits.map(({ visit }) => visit.visitId ?? null),
    visits.map(({ session }) => session.hash),
    visits.map(({ session }) => session.number),
    visits.map(({ visit }) => visit.url),
    visits.map(({ visit }) => visit.referrer),
    visits.map(({ visit }) => visit.title),
    visits.map(({ visit, session }) => visit.visitorId ?? session.visitorId),
    visits.map(({ visit }) => visit.isBot),
    visits.map(({ visit }) => visit.isInternal),
    visits.map(({ visit }) => isoTime(visit.occurredAt)),
    visits.map(({ visit }) => isoTime(visit.receivedAt)),
  ];
}
