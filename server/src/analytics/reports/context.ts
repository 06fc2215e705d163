import type { ReportingSettings } from '../../accounts/index.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Clock } from '../../shared/time.ts';
import type { IsAborted, ReportRunner } from '../engine/index.ts';

/** What a report needs besides its query. */
export interface ReportContext {
  db: Database;
  clock: Clock;
  runner: ReportRunner;
  accountId: string;
  settings: ReportingSettings;
  isAborted: IsAborted;
}
