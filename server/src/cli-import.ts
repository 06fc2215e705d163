import { readable } from './cli-output.ts';
import { required, UsageError } from './cli-usage.ts';

interface ImportOptions {
  url?: string | undefined;
  website?: string | undefined;
  collection?: string | undefined;
  key?: string | undefined;
  values: boolean;
  emails: boolean;
  source?: string | undefined;
  'dry-run': boolean;
  json: boolean;
}

/** Calls the service, so that everything is checked as if it were entered by hand. */
export async function importFrom([name = '', from]: string[], options: ImportOptions): Promise<void> {
  const { SOURCES, TRACKING_SOURCES, importContent, importCsv, importVisits, progressLine, reportTable, visitReport } =
    await import('./importers/index.ts');
  const tracking = TRACKING_SOURCES.find((each) => each === name);
  if (!tracking && name !== 'csv' && !Object.hasOwn(SOURCES, name)) {
    throw new UsageError(`import from one of ${[...Object.keys(SOURCES), 'csv', ...TRACKING_SOURCES].join(', ')}`);
  }
  const token = required(process.env.HEADWATER_TOKEN, 'HEADWATER_TOKEN');
  const { createClient } = await import('@headwater/sdk');
  const baseUrl = options.url ?? 'http://localhost:3000';
  // Visits and events are as many as the service takes in a second, which its responses tell.
  const client = createClient({ baseUrl, token, ...(tracking && { retry: { attempts: 20 } }) });
  const path = required(from, 'the path of the export');
  const { collection, key, 'dry-run': dryRun } = options;
  // Not on standard output, which has the report.
  const tell = progressLine((line) => console.error(line));
  if (tracking) {
    const { website, values, emails } = options;
    const report = await importVisits(
      tracking,
      path,
      { service: baseUrl, client, token, website, values, emails, dryRun },
      tell,
    );
    console.log(options.json ? JSON.stringify(report) : visitReport(report));
    if (report.refused > 0) process.exitCode = 1;
    return;
  }
  if (name !== 'csv') {
    const source = name as keyof typeof SOURCES;
    const report = await importContent(source, path, client, tell, { source: options.source, dryRun });
    console.log(options.json ? JSON.stringify(report) : reportTable(report));
    if (report.failed.length > 0) process.exitCode = 1;
    return;
  }
  const report = await importCsv(path, { collection: required(collection, '--collection'), key, dryRun }, client, tell);
  console.log(options.json ? JSON.stringify(report) : readable(report));
  if (report.failed.length > 0) process.exitCode = 1;
}
