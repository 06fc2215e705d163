import { serveThread } from '../shared/serve-thread.ts';
import { writeDays } from './write-days.ts';

// Run by run-days.ts.
serveThread(writeDays);
