import type { Tx } from '../shared/postgres/database.ts';
import type { Facts, ItemFacts, SessionFacts } from './segment.ts';
import {
  addNames,
  findEventFacts,
  findNames,
  findSessionFacts,
  findVisitFacts,
  type ItemFactsRow,
  type SessionFactsRow,
} from './segment-queries.ts';

/** What sessions of these numbers consist of now, from their own rows. */
export async function readFacts(tx: Tx, accountId: string, numbers: readonly number[]): Promise<Facts> {
  if (numbers.length === 0) return { sessions: [], visits: [], events: [] };
  const sessions = (await findSessionFacts(tx, accountId, numbers)).map(sessionOf);
  const visits = (await findVisitFacts(tx, accountId, numbers)).map(itemOf);
  const events = (await findEventFacts(tx, accountId, numbers)).map(itemOf);
  const known = new Set(sessions.map(({ number }) => number));
  const gone = new Set([...visits, ...events].map(({ number }) => number).filter((number) => !known.has(number)));
  if (gone.size > 0) {
    sessions.push(...[...gone].map((number) => ({ ...GONE, number })));
    sessions.sort((a, b) => a.number - b.number);
  }
  return { sessions, visits, events };
}

const GONE: SessionFacts = {
  number: 0,
  visitor: [0, 0],
  startedAt: 0,
  isBot: false,
  isInternal: false,
  platforms: [],
  source: null,
  medium: null,
  campaign: null,
  landingPage: null,
  country: null,
  device: null,
  isGone: true,
};

function sessionOf(row: SessionFactsRow): SessionFacts {
  return {
    number: row.number,
    visitor: [row.v1, row.v2],
    startedAt: row.started_at.getTime(),
    isBot: row.is_bot,
    isInternal: row.is_internal,
    platforms: row.platforms,
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    landingPage: row.page,
    country: row.country,
    device: row.device,
  };
}

function itemOf(row: ItemFactsRow): ItemFacts {
  const { number, name, funnel } = row;
  return { number, at: row.at.getTime(), isBot: row.is_bot, isInternal: row.is_internal, name, funnel };
}

/** The texts that facts hold. */
export function namesIn({ sessions, visits, events }: Facts): string[] {
  const names = new Set<string | null>();
  for (const { source, medium, campaign, landingPage, country, device } of sessions) {
    for (const name of [source, medium, campaign, landingPage, country, device]) names.add(name);
  }
  for (const list of [visits, events]) for (const { name, funnel } of list) names.add(name).add(funnel);
  names.delete(null);
  return [...names] as string[];
}

/** The numbers of texts, as far as they have one. */
export async function idsOf(tx: Tx, accountId: string, names: string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  return new Map((await findNames(tx, accountId, names)).map(({ id, name }) => [name, id]));
}

/** The numbers of texts, each of which gets one. */
export async function numberNames(tx: Tx, accountId: string, names: string[]): Promise<Map<string, number>> {
  const known = await idsOf(tx, accountId, names);
  const fresh = names.filter((name) => !known.has(name));
  if (fresh.length === 0) return known;
  await addNames(tx, accountId, fresh);
  return idsOf(tx, accountId, names);
}
