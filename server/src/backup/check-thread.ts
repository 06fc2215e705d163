import { serveThread } from '../shared/serve-thread.ts';
import { findSource } from './source.ts';
import { verifyBackup } from './verify-backup.ts';

export interface CheckPlan {
  location: string;
  name: string;
  dataDir: string;
}

// Run by check-backup.ts.
serveThread(async ({ location, name, dataDir }: CheckPlan) => {
  const { isValid, damaged } = await verifyBackup(await findSource(location, name, dataDir), undefined);
  return { isValid, damaged };
});
