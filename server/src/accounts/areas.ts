/** A part of an account, to which a member can be limited. */
export type Area = 'content' | 'analytics';

/** The area of routes by the start of their URL. Members who are limited to an area use no others, but for these of `both`. */
const PREFIXES: readonly (readonly [prefix: string, area: Area | 'both'])[] = [
  ['/v1/cms/', 'content'],
  ['/v1/files', 'content'],
  ['/files/tus', 'content'],
  ['/v1/analytics/', 'analytics'],
  ['/v1/experiments', 'analytics'],
  ['/v1/sql', 'analytics'],
  ['/v1/alerts', 'analytics'],
  ['/v1/sessions', 'analytics'],
  ['/v1/leads', 'analytics'],
  ['/v1/conversions', 'analytics'],
  ['/v1/reconciliations', 'analytics'],
  ['/v1/limits', 'both'],
  ['/v1/account', 'both'],
  // These routes check the types of jobs.
  ['/v1/jobs', 'both'],
];

/** Whether a member who is limited to an area may use a route; for everybody else, `area` is null. */
export function mayUse(area: Area | null, url: string): boolean {
  if (area === null) return true;
  const found = PREFIXES.find(([prefix]) => url.startsWith(prefix))?.[1];
  return found === 'both' || found === area;
}
