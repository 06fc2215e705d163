import { serveThread } from '../../shared/serve-thread.ts';
import { type CopyPlan, copyCluster } from './copy-cluster.ts';

// Run by continuous-backups.ts.
serveThread((plan: CopyPlan) => copyCluster(plan));
