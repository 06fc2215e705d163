import { serveThread } from '../../shared/serve-thread.ts';
import { writeEntries } from './write-entries.ts';

// Run by start-export.ts.
serveThread(writeEntries);
