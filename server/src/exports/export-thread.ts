import { serveThread } from '../shared/serve-thread.ts';
import { writeExport } from './write-export.ts';

// Run by run-export.ts.
serveThread(writeExport);
