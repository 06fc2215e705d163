/** Commands that bring content and visits of other systems, through the API. */
import { resolve } from 'node:path';
import type { Client } from '@headwater/sdk';
import { silent } from './progress.ts';
import { checkFile } from './source.ts';
import { importTracking, type TrackingReport } from './tracking/import-tracking.ts';
import { readPlausible } from './tracking/plausible.ts';
import { readUmami } from './tracking/umami.ts';

export { type CsvReport, importCsv } from './csv.ts';
export { importContent, SOURCES } from './import-content.ts';
export { progressLine } from './progress.ts';
export { reportTable } from './report.ts';

/** Each reads the visits and events of another system. */
export const TRACKING_SOURCES = ['plausible', 'umami'] as const;

/**
 * Records the visits and events of another system in an account.
 * @param from the file of an export or the URL of a database
 * @param website the website in Umami
 */
export async function importVisits(
  name: (typeof TRACKING_SOURCES)[number],
  from: string,
  website: string | undefined,
  client: Client,
  token: string,
  tell = silent,
): Promise<TrackingReport> {
  if (name === 'plausible') {
    const path = resolve(from);
    checkFile(path);
    return importTracking(readPlausible(path), `${path}.headwater.json`, client, token, tell);
  }
  const progress = resolve(`umami-${website ?? 'website'}.headwater.json`);
  return importTracking(readUmami(from, website), progress, client, token, tell);
}
