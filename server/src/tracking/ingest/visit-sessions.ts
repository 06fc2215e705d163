import { clickIdDigests, newSessionHash, shortHashOf } from '../identifiers.ts';
import { readLanding } from './landing.ts';
import type { NewVisit } from './new-visit.ts';
import type { Restatement } from './restate-sessions.ts';
import { continues, type SessionState } from './session-rules.ts';
import { isEarlier, startOf } from './session-start.ts';
import type { CurrentSessionRow, WrittenSessionRow } from './visit-queries.ts';

export interface VisitSession extends SessionState {
  accountId: string;
  number: number;
  hash: string;
  visitorId: string;
  /** `lastSeenAt` in the database. */
  storedSeenAt: number;
  /** The visit that started it, if it is new. */
  startedBy: NewVisit | undefined;
  /** The earliest visit that lies before the start in the database, or at the same time. */
  restatedBy: NewVisit | undefined;
}

/** A session that was seen less than a second ago is not written again just for that. */
const FRESH_MS = 1_000;

/** The sessions of a batch of visits: those in the database and those that the batch starts. */
export class VisitSessions {
  readonly #byHash = new Map<string, VisitSession>();
  readonly #byVisitor = new Map<string, VisitSession[]>();
  readonly #byVisit = new Map<string, VisitSession>();
  readonly #seen = new Set<VisitSession>();
  readonly #started: VisitSession[] = [];

  constructor(rows: readonly CurrentSessionRow[]) {
    this.add(rows);
  }

  add(rows: readonly CurrentSessionRow[]): void {
    for (const row of rows) {
      // The same session may be found several ways: one object for all of its rows.
      const session: VisitSession = this.#byHash.get(`${row.account_id} ${row.hash}`) ?? {
        accountId: row.account_id,
        number: row.number,
        hash: row.hash,
        visitorId: row.visitor_id,
        startedAt: row.started_at.getTime(),
        lastSeenAt: row.last_seen_at.getTime(),
        storedSeenAt: row.last_seen_at.getTime(),
        get landing() {
          return this.restatedBy?.landing ?? readLanding(row.landing_url);
        },
        startedBy: undefined,
        restatedBy: undefined,
      };
      this.#add(session);
      if (row.visit_id !== null) this.#byVisit.set(visitKey(row.account_id, row.visit_id, row.is_trusted), session);
    }
  }

  /** The session of a visit, and whether the visit was recorded before. */
  choose(visit: NewVisit, nextNumber: () => number): { session: VisitSession; isRepeated: boolean } {
    const key = visitKey(visit.accountId, visit.visitId, visit.isTrusted);
    const before = visit.visitId === undefined ? undefined : this.#byVisit.get(key);
    if (before) return { session: before, isRepeated: true };
    const session = this.#current(visit) ?? this.#start(visit, nextNumber());
    if (visit.visitId !== undefined) this.#byVisit.set(key, session);
    return { session, isRepeated: false };
  }

  /** Whether the visit arrives late: the visitor's session that was found starts after it, so that an earlier one may be the visit's. */
  isLate({ accountId, sessionHash, visitorId, occurredAt }: NewVisit): boolean {
    if (sessionHash !== undefined || visitorId === undefined) return false;
    const known = this.#byVisitor.get(`${accountId} ${visitorId}`);
    return known?.some(({ startedAt }) => startedAt > occurredAt) === true;
  }

  /** The session that the visit names, or else its visitor's if the rules let it belong to that. */
  #current(visit: NewVisit): VisitSession | undefined {
    const { accountId, sessionHash, visitorId, occurredAt } = visit;
    let session: VisitSession | undefined;
    if (sessionHash !== undefined) session = this.#byHash.get(`${accountId} ${sessionHash}`);
    else if (visitorId !== undefined) session = this.#ofVisitor(`${accountId} ${visitorId}`, visit);
    if (!session) return undefined;
    session.lastSeenAt = Math.max(session.lastSeenAt, occurredAt);
    if (!session.startedBy) this.#seen.add(session);
    if (occurredAt <= session.startedAt) restate(session, visit);
    return session;
  }

  /** The visitor's latest session that started by then, or else the next one. */
  #ofVisitor(visitor: string, { landing, occurredAt }: NewVisit): VisitSession | undefined {
    let [latest, next]: [VisitSession?, VisitSession?] = [];
    for (const session of this.#byVisitor.get(visitor) ?? []) {
      if (session.startedAt > occurredAt) {
        if (session.startedAt < (next?.startedAt ?? Number.POSITIVE_INFINITY)) next = session;
      } else if (session.startedAt >= (latest?.startedAt ?? 0)) latest = session;
    }
    return [latest, next].find((session) => session && continues(session, landing, occurredAt));
  }

  #start(visit: NewVisit, number: number): VisitSession {
    const session: VisitSession = {
      accountId: visit.accountId,
      number,
      hash: visit.sessionHash ?? newSessionHash(),
      visitorId: visit.visitorId ?? newSessionHash(),
      startedAt: visit.occurredAt,
      lastSeenAt: visit.occurredAt,
      storedSeenAt: visit.occurredAt,
      get landing() {
        return (this.startedBy ?? visit).landing;
      },
      startedBy: visit,
      restatedBy: undefined,
    };
    this.#started.push(session);
    this.#add(session);
    return session;
  }

  /** The session that another process wrote with the same hash first, so that its visits were left out. */
  applyWritten(row: WrittenSessionRow): VisitSession | undefined {
    if (row.is_new) return undefined;
    const session = this.#byHash.get(`${row.account_id} ${row.hash}`);
    if (session) session.startedBy = undefined;
    return session;
  }

  started(): VisitSession[] {
    return this.#started.filter((session) => session.startedBy !== undefined);
  }

  /** The starts that visits give to sessions of the database, unless these are earlier by now. */
  restated(): Restatement[] {
    return [...this.#seen].flatMap(({ accountId, number, restatedBy: by }) =>
      by === undefined ? [] : { ...startOf(by, accountId, number), seen_at: clickSeenAt(by), is_trusted: by.isTrusted },
    );
  }

  #add(session: VisitSession): void {
    this.#byHash.set(`${session.accountId} ${session.hash}`, session);
    const visitor = `${session.accountId} ${session.visitorId}`;
    const known = this.#byVisitor.get(visitor);
    if (!known) this.#byVisitor.set(visitor, [session]);
    else if (!known.includes(session)) known.push(session);
  }

  /** The parameters of `writeVisits` for sessions. */
  rows() {
    const started = this.started();
    return {
      sessions: started.map((session) => sessionRow(session, session.startedBy as NewVisit)),
      click_ids: started.flatMap(({ accountId, hash, startedBy, landing }) =>
        clickIdDigests(landing.clickIds).map((digest) => ({
          account_id: accountId,
          hash,
          digest,
          seen_at: clickSeenAt(startedBy as NewVisit),
        })),
      ),
      seen: [...this.#seen]
        .filter((session) => session.lastSeenAt > session.storedSeenAt + FRESH_MS)
        .sort((a, b) => a.number - b.number)
        .map(({ accountId, number, lastSeenAt }) => ({
          account_id: accountId,
          number,
          seen_at: lastSeenAt,
        })),
    };
  }
}

function visitKey(accountId: string, visitId: string | undefined, isTrusted: boolean | null): string {
  return `${accountId} ${isTrusted} ${visitId}`;
}

/** By arrival for pages, so that none can claim a click ID by backdating. */
const clickSeenAt = ({ isTrusted, occurredAt, receivedAt }: NewVisit) => (isTrusted ? occurredAt : receivedAt);

/** The earliest visit of a session decides where it starts, whatever the order in which they arrive. */
function restate(session: VisitSession, visit: NewVisit): void {
  const by = session.startedBy ?? session.restatedBy;
  if (by && !isEarlier(visit, by)) return;
  session[session.startedBy ? 'startedBy' : 'restatedBy'] = visit;
  session.startedAt = visit.occurredAt;
}

function sessionRow(session: VisitSession, visit: NewVisit) {
  const { click_ids, ...start } = startOf(visit, session.accountId, session.number);
  return {
    hash: session.hash,
    short_hash: shortHashOf(session.hash),
    visitor_id: session.visitorId,
    last_seen_at: session.lastSeenAt,
    ...start,
    click_ids: JSON.stringify(click_ids),
  };
}
