import { resolve } from 'node:path';
import type { Client } from '@headwater/sdk';
import { silent } from '../progress.ts';
import { openProgress } from './import-progress.ts';
import { importTracking, type TrackingReport } from './import-tracking.ts';
import { readPlausible } from './plausible.ts';
import type { Meaning } from './tracking-source.ts';
import { readUmami } from './umami.ts';

/** Each reads the visits and events of another system. */
export const TRACKING_SOURCES = ['plausible', 'umami'] as const;

export interface VisitImport extends Partial<Meaning> {
  /** The URL of the service. */
  service: string;
  client: Client;
  token: string;
  /** The website in Umami. */
  website?: string | undefined;
  dryRun?: boolean;
}

/**
 * Records the visits and events of another system in an account.
 * @param from the file of an export or the URL of a database
 */
export async function importVisits(
  name: (typeof TRACKING_SOURCES)[number],
  from: string,
  { service, client, token, website, dryRun = false, values = false, emails = false }: VisitImport,
  tell = silent,
): Promise<TrackingReport> {
  const meaning = { values, emails };
  const isFile = name === 'plausible';
  const source = isFile ? await readPlausible(resolve(from), meaning) : await readUmami(from, website, meaning);
  const { id } = await client.getAccount();
  const path = isFile ? `${resolve(from)}.headwater.json` : resolve(`umami-${website ?? 'website'}.headwater.json`);
  const progress = openProgress(path, service, id, source.id);
  return importTracking(source, progress, { client, apiKey: token, dryRun }, tell);
}

const MAX_ROWS = 1_000;

/** A report as lines, with a table of what was not taken over, or otherwise, by reason. */
export function visitReport({ visits, events, skipped, refused, failed, notes, dryRun }: TrackingReport): string {
  const reasons = new Map<string, { count: number; ids: string[] }>();
  for (const { id, reason } of failed) {
    const found = reasons.get(reason) ?? { count: 0, ids: [] };
    reasons.set(reason, { count: found.count + 1, ids: found.ids.length < 3 ? [...found.ids, id] : found.ids });
  }
  const rows = [
    ...notes.map(({ note, count }) => [String(count), note]),
    ...[...reasons].map(([reason, { count, ids }]) => [
      String(count),
      `Refused: ${reason} (${ids.join(', ')}${count > ids.length ? ' …' : ''})`,
    ]),
  ].slice(0, MAX_ROWS);
  const did = dryRun ? 'Would be recorded' : 'Recorded';
  const lines = [`${did}: ${visits} visits, ${events} events. Skipped: ${skipped}. Refused: ${refused}.`];
  const width = Math.max(...rows.map(([count = '']) => count.length), 'Amount'.length);
  if (rows.length > 0) lines.push('', `${'Amount'.padStart(width)}  Reason`);
  for (const [count = '', reason] of rows) lines.push(`${count.padStart(width)}  ${reason}`);
  return lines.join('\n');
}
