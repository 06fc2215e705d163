import { hash } from 'node:crypto';
import { newUuid } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { clickIdDigest, sessionDigest, shortHashOf } from './identifier.ts';
import type { Landing } from './landing.ts';
import { drawSessionNumbers, findCurrentSessions, lockVisitors, type SessionRow, writeVisits } from './queries.ts';
import type { BegunSession } from './reactions.ts';
import { makeSessionHash } from './session-hash.ts';
import { goesOn, type SessionState } from './session-rules.ts';
import type { Device } from './user-agent.ts';

/** A visit as it was asked for, checked. */
export interface NewVisit {
  accountId: string;
  url: string;
  landing: Landing;
  referrer: string | null;
  title: string | null;
  visitorId: string | undefined;
  sessionHash: string | undefined;
  device: Device;
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
    // Only a visitor's visits must be decided one after another; the others' look and write need no transaction.
    const decides = visits.some((visit) => visit.sessionHash === undefined && visit.visitorId !== undefined);
    const work = (inside: Tx) => this.#record(inside, visits);
    return decides && !tx ? this.#db.transaction(work) : work(tx ?? this.#db);
  }

  async #record(tx: Tx, visits: NewVisit[]) {
    const sessions = await loadSessions(tx, visits);
    const chosen = visits.map((visit) => sessions.choose(visit, () => this.#nextNumber()));
    const rows = await writeVisits(tx, ...sessions.parameters(), ...visitParameters(visits, chosen));
    for (const row of rows) sessions.renumber(row);
    return {
      recorded: chosen.map(({ number, hash, visitorId }, i) => ({
        sessionNumber: number,
        sessionHash: hash,
        visitorId: visits[i]?.visitorId ?? visitorId,
      })),
      begun: sessions.begun().map((session) => ({
        accountId: session.accountId,
        digests: [
          sessionDigest('hash', session.hash),
          sessionDigest('number', String(session.number)),
          sessionDigest('short', shortHashOf(session.hash)),
          ...clickDigests(session),
        ],
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
  if (byVisitor.length > 0) {
    await lockVisitors(
      tx,
      byVisitor.map((visit) => visitorLock(visit.accountId, visit.visitorId ?? '')),
    );
  }
  if (byHash.length + byVisitor.length === 0) return new Sessions([]);
  const rows = await findCurrentSessions(
    tx,
    byHash.map((visit) => visit.accountId),
    byHash.map((visit) => visit.sessionHash),
    byVisitor.map((visit) => visit.accountId),
    byVisitor.map((visit) => visit.visitorId),
  );
  return new Sessions(rows);
}

function visitorLock(accountId: string, visitorId: string): string {
  return hash('sha256', `visitor ${accountId} ${visitorId}`, 'buffer').readBigInt64BE().toString();
}

/** The sessions that a batch of visits is about: those there were, and those that it begins. */
class Sessions {
  readonly #byHash = new Map<string, Session>();
  readonly #latestOfVisitor = new Map<string, Session>();
  readonly #touched = new Set<Session>();
  readonly #begun: Session[] = [];

  constructor(rows: SessionRow[]) {
    for (const row of rows) {
      this.#remember({
        accountId: row.account_id,
        number: row.number,
        hash: row.hash,
        visitorId: row.visitor_id,
        startedAt: row.started_at.getTime(),
        lastSeenAt: row.last_seen_at.getTime(),
        clickIds: row.click_ids,
        source: row.source,
        medium: row.medium,
        campaign: row.campaign,
        utmId: row.utm_id,
        begunBy: undefined,
      });
    }
  }

  /** The session of a visit: the named one, the visitor's where the rules let it go on, else a new one. */
  choose(visit: NewVisit, nextNumber: () => number): Session {
    const current =
      visit.sessionHash !== undefined
        ? this.#byHash.get(`${visit.accountId} ${visit.sessionHash}`)
        : visit.visitorId !== undefined
          ? this.#latestOfVisitor.get(`${visit.accountId} ${visit.visitorId}`)
          : undefined;
    if (current && (visit.sessionHash !== undefined || goesOn(current, visit.landing, visit.occurredAt))) {
      current.lastSeenAt = Math.max(current.lastSeenAt, visit.occurredAt);
      if (!current.begunBy) this.#touched.add(current);
      return current;
    }
    const { landing } = visit;
    const session: Session = {
      accountId: visit.accountId,
      number: nextNumber(),
      hash: visit.sessionHash ?? makeSessionHash(),
      visitorId: visit.visitorId ?? makeSessionHash(),
      startedAt: visit.occurredAt,
      lastSeenAt: visit.occurredAt,
      clickIds: landing.clickIds,
      source: landing.source,
      medium: landing.medium,
      campaign: landing.campaign,
      utmId: landing.utmId,
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
    const latest = this.#latestOfVisitor.get(visitor);
    if (!latest || latest.startedAt <= session.startedAt) this.#latestOfVisitor.set(visitor, session);
  }

  /** The first 28 parameters of `writeVisits`. */
  parameters(): unknown[] {
    const begun = this.#begun.flatMap((session) => (session.begunBy ? [{ session, visit: session.begunBy }] : []));
    const clicks = begun.flatMap(({ session }) => clickDigests(session).map((digest) => ({ session, digest })));
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
      begun.map(({ session }) => session.source),
      begun.map(({ session }) => session.medium),
      begun.map(({ session }) => session.campaign),
      begun.map(({ visit }) => visit.landing.term),
      begun.map(({ visit }) => visit.landing.content),
      begun.map(({ session }) => session.utmId),
      begun.map(({ session }) => JSON.stringify(session.clickIds)),
      begun.map(({ visit }) => visit.device.device),
      begun.map(({ visit }) => visit.device.browser),
      begun.map(({ visit }) => visit.device.os),
      begun.map(({ visit }) => visit.country),
      begun.map(({ visit }) => visit.device.isBot),
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

function clickDigests(session: Session): string[] {
  return Object.entries(session.clickIds).map(([name, value]) => clickIdDigest(name, value ?? ''));
}

/** The parameters of `writeVisits` from the 29th. */
function visitParameters(visits: NewVisit[], sessions: Session[]): unknown[] {
  return [
    visits.map((visit) => visit.accountId),
    visits.map((visit) => newUuid(visit.receivedAt)),
    sessions.map((session) => session.hash),
    sessions.map((session) => session.number),
    visits.map((visit) => visit.url),
    visits.map((visit) => visit.referrer),
    visits.map((visit) => visit.title),
    visits.map((visit, i) => visit.visitorId ?? sessions[i]?.visitorId),
    visits.map((visit) => visit.device.isBot),
    visits.map((visit) => isoTime(visit.occurredAt)),
    visits.map((visit) => isoTime(visit.receivedAt)),
  ];
}
