import type { Feature } from './contract.ts';

type Need = Feature | 'content' | 'any' | 'everything' | 'owner';

/**
 * What a role needs to use a route: `content` is decided for each collection and entry by the view of the schema, `any` needs
 * nothing, `everything` to read all entries, and `owner` is for owners alone. The first pattern that fits counts.
 */
const NEEDS: readonly (readonly [pattern: RegExp, need: Need])[] = [
  [/^(PATCH \/v1\/account|POST \/v1\/account\/delete|\w+ \/v1\/sso(\/check)?)$/, 'owner'],
  [/^\w+ \/v1\/(account|limits)\b/, 'any'],
  // These routes show the jobs of the caller.
  [/^\w+ \/v1\/jobs\b/, 'any'],
  // Each tool is a route, and so is each change that a plan consists of.
  [/^\w+ \/(mcp|v1\/plans)\b/, 'any'],
  // What everyone can read: of entries what the role may read, of all of them only if it reads everything.
  [/^\w+ \/v1\/content\/(changes|resolve|redirects|sitemap\.xml)$/, 'everything'],
  [/^\w+ \/v1\/content\b/, 'any'],
  [/^\w+ \/v1\/warehouses\b/, 'owner'],
  [/^\w+ \/v1\/(members|invitations|keys|roles|audit)\b/, 'members'],
  [/^\w+ \/v1\/schema\b/, 'schema'],
  [/^\w+ \/v1\/cms\/(components|trash)\b/, 'schema'],
  [/^GET \/v1\/cms\/(collections(\/:collectionId)?|locales)$/, 'content'],
  [/^\w+ \/v1\/cms\/(collections(\/:collectionId)?|locales)$/, 'schema'],
  [/^\w+ \/v1\/(cms\/|graphql\b)/, 'content'],
  [/^\w+ (\/v1\/(files|folders)|\/files\/tus)\b/, 'files'],
  [/^\w+ \/v1\/(destinations\b|conversions\/:conversionId\/deliveries$)/, 'destinations'],
  [/^\w+ \/v1\/(webhooks|publish-hooks|queue-alarms)\b/, 'webhooks'],
  [/^\w+ \/v1\/(conversions\b|reconciliations\b|analytics\/(report-conversion|unmatched)\b)/, 'conversions'],
  [
    /^\w+ \/v1\/(analytics|sql|alerts|experiments|leads|sessions|visitors|tracking|rejected-requests|visits|events|batch)\b/,
    'analytics',
  ],
];

/** Undefined for a route that is missing here, which then no role of an account may use. */
export function needOf(method: string, url: string): Need | undefined {
  const name = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  return NEEDS.find(([pattern]) => pattern.test(name))?.[1];
}

/** What destinations were sent are conversions, with their values. */
export const showsConversions = (url: string): boolean =>
  /\/(deliveries|dry-run|replay)$/.test(url) && DESTINATIONS.test(url);

const DESTINATIONS = /^\/v1\/(destinations|conversions)\b/;
