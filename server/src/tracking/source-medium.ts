import { CLICK_SOURCES, KNOWN_HOSTS } from './known-sources.ts';
import type { Landing } from './landing.ts';

/** Where a session comes from; both null: nobody knows (direct). */
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
 * Source and medium of the session that a visit begins: its UTM values; else the platform of its click id; else what the
 * referrer is. A `utm_medium` without a `utm_source` takes the place of the medium that was derived.
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
  if (landing.source !== null) return landing;
  const derived = platformOf(landing, referrer) ?? referrerOf(url, referrer);
  return landing.medium === null ? derived : { source: derived.source, medium: landing.medium };
}

function platformOf({ clickIds }: Landing, referrer: string | null): Origin | undefined {
  for (const [name, source, medium] of CLICK_SOURCES) {
    if (clickIds[name] === undefined) continue;
    if (name !== 'fbclid') return { source, medium };
    // Instagram's links carry it as well.
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

/** The host, or the package of an Android app, without `www.`; empty where there is none. */
function hostOf(url: string | null): string {
  const host = url === null ? undefined : URL.parse(url)?.hostname;
  return host === undefined ? '' : host.replace(/^www\./, '');
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function known(host: string): Origin | undefined {
  // From the host itself to what it lies below: mail.yahoo.com before yahoo.com.
  for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const found = HOSTS.get(rest);
    if (found) return found;
    if (!rest.includes('.')) break;
  }
  const [, name] = /^(?:m\.)?([a-z]+)\.(?:[a-z]{2,3}\.)?[a-z]{2,3}$/.exec(host) ?? [];
  return name === undefined ? undefined : HOSTS.get(`${name}.*`);
}
