import { CLICK_ID_SOURCES } from '../../shared/click-ids.ts';
import { KNOWN_HOSTS } from './known-sources.ts';
import type { Landing } from './landing.ts';

/** Where a session comes from; both are null if that is unknown (direct). */
export interface Origin {
  source: string | null;
  medium: string | null;
}

const DIRECT: Origin = { source: null, medium: null };

const HOSTS = new Map<string, Origin>(
  Object.entries(KNOWN_HOSTS).flatMap(([medium, sources]) =>
    Object.entries(sources).flatMap(([source, hosts]) => hosts.map((host) => [host, { source, medium }] as const)),
  ),
);

/**
 * Source and medium of the session that a visit starts: its UTM values, or else the platform of its click id, or else the
 * referrer. A `utm_medium` without a `utm_source` replaces the derived medium, and a `utm_source` without a `utm_medium` has that of a click ID of the
 * same platform's ads.
 */
export function sourceOf({
  url,
  referrer,
  landing,
}: {
  url: string;
  referrer: string | null;
  landing: Landing;
}): Origin {
  if (landing.source !== null) {
    return { source: landing.source, medium: landing.medium ?? paidMedium(landing.source, landing) };
  }
  const derived = platformOf(landing, referrer) ?? referrerOf(url, referrer);
  return landing.medium === null ? derived : { source: derived.source, medium: landing.medium };
}

/** `fbclid` says of no click that it was paid. */
function paidMedium(source: string, { clickIds }: Landing): string | null {
  const words = source.toLowerCase().split(/[^a-z0-9]+/);
  const isOf = (platform: (typeof CLICK_ID_SOURCES)[number]) =>
    clickIds[platform.name] !== undefined &&
    [platform.source, ...platform.otherSources].some((each) => words.includes(each));
  return CLICK_ID_SOURCES.find((platform) => platform.medium === 'cpc' && isOf(platform))?.medium ?? null;
}

function platformOf({ clickIds }: Landing, referrer: string | null): Origin | undefined {
  for (const { name, source, medium } of CLICK_ID_SOURCES) {
    if (clickIds[name] === undefined) continue;
    if (name !== 'fbclid') return { source, medium };
    // Links on Instagram carry fbclid, too.
    const network = known(hostOf(referrer));
    return network?.medium === 'social' ? network : { source, medium };
  }
  return undefined;
}

function referrerOf(url: string, referrer: string | null): Origin {
  const host = hostOf(referrer);
  if (host === '' || isSameSite(host, hostOf(url))) return DIRECT;
  return known(host) ?? { source: host, medium: 'referral' };
}

/** The host without `www.`, or an Android app's package; empty if there is none. */
function hostOf(url: string | null): string {
  const host = url === null ? undefined : URL.parse(url)?.hostname;
  return host === undefined ? '' : host.replace(/^www\./, '');
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function known(host: string): Origin | undefined {
  // The host before its parent domains: mail.yahoo.com before yahoo.com.
  for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const found = HOSTS.get(rest);
    if (found) return found;
    if (!rest.includes('.')) break;
  }
  const [, name] = /^(?:m\.)?([a-z]+)\.(?:[a-z]{2,3}\.)?[a-z]{2,3}$/.exec(host) ?? [];
  return name === undefined ? undefined : HOSTS.get(`${name}.*`);
}
