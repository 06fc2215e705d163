/** Commands that bring content and visits of other systems, through the API. */
export { type CsvReport, importCsv } from './csv.ts';
export { importContent, SOURCES } from './import-content.ts';
export { progressLine } from './progress.ts';
export { reportTable } from './report.ts';
export { importVisits, TRACKING_SOURCES, visitReport } from './tracking/import-visits.ts';
