import { clickIdDigests, newSessionHash, shortHashOf } from '../identifiers.ts';
import { IDLE_MS } from '../session-limits.ts';
import { readLanding } from './landing.ts';
import type { NewVisit } from './new-visit.ts';
import { continues, type SessionState } from './session-rules.ts';
import { sourceOf } from './source-medium.ts';
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
    for (const row of rows) {
      // The same session may be found several ways: one object for all of its rows.
      const session = this.#byHash.get(`${row.account_id} ${row.hash}`) ?? {
        accountId: row.account_id,
        number: row.number,
        hash: row.hash,
        visitorId: row.visitor_id,
        startedAt: row.started_at.getTime(),
        lastSeenAt: row.last_seen_at.getTime(),
        storedSeenAt: row.last_seen_at.getTime(),
        get landing() {
          return readLanding(row.landing_url);
        },
        startedBy: undefined,
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

  /** The session that the visit names, or else its visitor's latest one if the rules let it continue. */
  #current(visit: NewVisit): VisitSession | undefined {
    const { accountId, sessionHash, visitorId, occurredAt } = visit;
    let session: VisitSession | undefined;
    if (sessionHash !== undefined) session = this.#byHash.get(`${accountId} ${sessionHash}`);
    else if (visitorId !== undefined) session = this.#latestOf(`${accountId} ${visitorId}`, occurredAt + IDLE_MS);
    if (!session || (sessionHash === undefined && !continues(session, visit.landing, occurredAt))) return undefined;
    session.lastSeenAt = Math.max(session.lastSeenAt, occurredAt);
    if (!session.startedBy) this.#seen.add(session);
    return session;
  }

  #latestOf(visitor: string, startedBy: number): VisitSession | undefined {
    let latest: VisitSession | undefined;
    for (const session of this.#byVisitor.get(visitor) ?? []) {
      if (session.startedAt <= startedBy && session.startedAt >= (latest?.startedAt ?? 0)) latest = session;
    }
    return latest;
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
      landing: visit.landing,
      startedBy: visit,
    };
    this.#started.push(session);
    this.#add(session);
    return session;
  }

  /** Takes over the number of a session that another process wrote with the same hash first. */
  applyWritten(row: WrittenSessionRow): void {
    const session = this.#byHash.get(`${row.account_id} ${row.hash}`);
    if (!session) return;
    session.number = row.number;
    if (!row.is_new) session.startedBy = undefined;
  }

  started(): VisitSession[] {
    return this.#started.filter((session) => session.startedBy !== undefined);
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
      click_ids: started.flatMap(({ accountId, hash, startedAt, startedBy, landing }) =>
        clickIdDigests(landing.clickIds).map((digest) => ({
          account_id: accountId,
          hash,
          digest,
          seen_at: startedBy?.isTrusted ? startedAt : (startedBy?.receivedAt ?? startedAt),
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

function sessionRow(session: VisitSession, visit: NewVisit) {
  const { landing, device } = visit;
  const { source, medium } = sourceOf(visit);
  return {
    account_id: session.accountId,
    number: session.number,
    hash: session.hash,
    short_hash: shortHashOf(session.hash),
    visitor_id: session.visitorId,
    started_at: session.startedAt,
    last_seen_at: session.lastSeenAt,
    landing_url: visit.url,
    referrer: visit.referrer,
    source,
    medium,
    campaign: landing.campaign ?? landing.adCampaignId,
    term: landing.term,
    content: landing.content,
    utm_id: landing.utmId,
    click_ids: JSON.stringify(landing.clickIds),
    device: device.device,
    browser: device.browser,
    os: device.os,
    country: visit.place.country,
    region: visit.place.region,
    is_bot: visit.isBot,
    is_internal: visit.isInternal,
  };
}
