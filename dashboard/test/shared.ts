/** A service and a browser for all files of a process that need no settings of their own; each has its accounts and their owner. */
import { launchBrowser } from '../../tracker/test/browser.ts';
import { startDashboardService } from './service.ts';

export const [service, browser] = await Promise.all([
  startDashboardService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }),
  launchBrowser(),
]);
