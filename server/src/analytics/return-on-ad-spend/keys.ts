import type { RoasKey } from './contract.ts';
import type { KeyColumn } from './key-columns.ts';

/** Finds the public IDs of the content entries of paths, by path. */
export type EntriesOfPaths = (accountId: string, paths: Iterable<string>) => Promise<Map<string, string>>;

export const COLUMNS: Record<RoasKey, KeyColumn> = {
  source: 'source',
  campaign: 'campaign',
  adGroup: 'term',
  ad: 'content',
  landingPage: 'landing_page',
  entry: 'landing_page',
};

/** Replaces landing pages by the entries that they are; those that are none have no key. Each page is looked up once. */
export function replacesByEntries(
  accountId: string,
  entriesOfPaths: EntriesOfPaths,
): (rows: readonly { key: string | null }[]) => Promise<void> {
  const pathOf = (page: string) => (page.includes('/') ? page.slice(page.indexOf('/')) : '/');
  const entries = new Map<string, string | null>();
  return async (rows) => {
    const paths = new Set(rows.flatMap(({ key }) => (key === null ? [] : pathOf(key))));
    const unknown = [...paths].filter((path) => !entries.has(path));
    const found = unknown.length > 0 ? await entriesOfPaths(accountId, unknown) : new Map<string, string>();
    for (const path of unknown) entries.set(path, found.get(path) ?? null);
    for (const row of rows) row.key = row.key === null ? null : (entries.get(pathOf(row.key)) ?? null);
  };
}
