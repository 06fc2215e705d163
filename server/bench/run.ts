/** `npm run bench [-- name …]` runs all benchmarks or the named ones and prints the tables of docs/performance.md. */
import { benchAggregation } from './aggregation.ts';
import { benchConversions } from './conversions.ts';
import { benchDelivery } from './delivery.ts';
import { benchDestinations } from './destinations.ts';
import { benchEnrichment } from './enrichment.ts';
import { benchEntries } from './entries.ts';
import { benchExperiments } from './experiments.ts';
import { benchExport } from './export.ts';
import { benchImport } from './import.ts';
import { benchIngest } from './ingest.ts';
import { benchLists } from './lists.ts';
import { benchMoney } from './money.ts';
import { benchOverview } from './overview.ts';
import { benchQueries } from './queries.ts';
import { benchRealContent } from './real-content.ts';
import { benchReferences } from './references.ts';
import { createReport, type Report } from './report.ts';
import { benchSchema } from './schema.ts';
import { type BenchService, startService } from './service.ts';
import { benchStartUp } from './start-up.ts';
import { benchTenfold } from './tenfold.ts';
import { benchUpload } from './upload.ts';
import { benchVariants } from './variants.ts';
import { benchWarehouse } from './warehouse.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Record<string, (service: BenchService, report: Report) => Promise<void>> = {
  enrichment: (_service, report) => benchEnrichment(report),
  ingest: benchIngest,
  aggregation: benchAggregation,
  conversions: benchConversions,
  entries: benchEntries,
  'real-content': benchRealContent,
  delivery: benchDelivery,
  references: benchReferences,
  queries: benchQueries,
  schema: benchSchema,
  money: benchMoney,
  experiments: benchExperiments,
  export: benchExport,
  warehouse: benchWarehouse,
  import: benchImport,
  overview: benchOverview,
  lists: benchLists,
  tenfold: benchTenfold,
  upload: benchUpload,
  variants: benchVariants,
  webhooks: benchWebhooks,
  destinations: benchDestinations,
  'start-up': benchStartUp,
};

const names = process.argv.slice(2);
const report = createReport();
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const service = await startService();
  try {
    await bench(service, report);
  } finally {
    await service.stop();
  }
}
