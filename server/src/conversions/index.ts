/**
 * What back ends report, matched to sessions, with every later revision. Its tables: conversion_imports,
 * conversion_revisions, conversions, reconciliation_lines, reconciliation_parts, reconciliations,
 * unmatched_conversions.
 */
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { inScope } from '../shared/http/server.ts';
import { HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler, TrackingHooks } from '../tracking/index.ts';
import { importRoutes } from './imports/routes.ts';
import { UNDO_JOB, undoHandler } from './imports/undo-job.ts';
import { listingRoutes } from './listing/routes.ts';
import { LateMatcher } from './matching/late-matcher.ts';
import { personalDataHandler } from './personal-data.ts';
import { APPLY_JOB, applyHandler, RECONCILE_JOB, reconcileHandler } from './reconciliation/jobs.ts';
import { deleteExpiredReconciliations } from './reconciliation/manage.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { recordEventValues } from './report/record-event-values.ts';
import { type OnItemFailed, reportRoutes } from './report/routes.ts';

export { ConversionSummary } from './contract.ts';
export { CONVERSION_LIMITS } from './limits.ts';
export { readConversion } from './listing/list-conversions.ts';
export { loadConversions } from './load-conversions.ts';
export { readAmount } from './report/amount.ts';

export function conversionsModule(
  deps: Deps,
  onItemFailed: OnItemFailed,
): Module & { trackingHooks: TrackingHooks; personalData: PersonalDataHandler; jobs: JobHandlers } {
  const lateMatcher = new LateMatcher(deps);
  return {
    routes(app) {
      // Form bodies are accepted on these routes only.
      inScope(app, (scope) => reportRoutes(scope, deps, onItemFailed));
      importRoutes(app, deps);
      listingRoutes(app, deps);
      reconciliationRoutes(app, deps);
    },
    workers: [
      lateMatcher,
      workerLoop({
        name: 'delete expired reconciliations',
        log: deps.log,
        everyMs: HOUR,
        run: () => deleteExpiredReconciliations(deps),
      }),
    ],
    jobs: {
      [UNDO_JOB]: undoHandler(deps),
      [RECONCILE_JOB]: reconcileHandler(deps),
      [APPLY_JOB]: applyHandler(deps),
    },
    trackingHooks: {
      valuesRecorded: (tx, last, events) => recordEventValues(tx, last, events, deps.clock()),
      sessionsStarted: (sessions) => lateMatcher.sessionsStarted(sessions),
    },
    personalData: personalDataHandler(deps),
    queues: [
      {
        name: 'unmatched',
        label: 'Unmatched conversions',
        tables: ['unmatched_conversions'],
        findOverdue: (before) => lateMatcher.findOverdue(before),
      },
    ],
  };
}
