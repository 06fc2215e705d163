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

/** Replaces landing pages by the entries that they are; those that are none have no key. */
export async function replaceByEntries(
  rows: readonly { key: string | null }[],
  accountId: string,
  entriesOfPaths: EntriesOfPaths,
): Promise<void> {
  const pathOf = (page: string) => (page.includes('/') ? page.slice(page.indexOf('/')) : '/');
  const pages = new Set(rows.flatMap(({ key }) => key ?? []));
  const entries = await entriesOfPaths(accountId, [...pages].map(pathOf));
  for (const row of rows) row.key = row.key === null ? null : (entries.get(pathOf(row.key)) ?? null);
}
