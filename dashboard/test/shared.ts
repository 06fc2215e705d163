/** A service and the browser for all files of a process that need no settings of their own; each has its accounts and their owner. */
import { startDashboardService } from './service.ts';

export { browser } from '../../tracker/test/browser.ts';

export const service = await startDashboardService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
