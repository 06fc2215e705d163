const GUIDE_OF: [start: string, guide: string][] = [
  ['/overview', 'analytics'],
  ['/funnels', 'analytics#get-a-funnel'],
  ['/sessions', 'tracking#sessions'],
  ['/leads', 'tracking#sessions'],
  ['/conversions/add', 'dashboard#import-conversions-from-a-csv'],
  ['/conversions', 'conversions'],
  ['/ad-costs', 'analytics#compare-revenue-with-ad-spend'],
  ['/destinations', 'destinations'],
  ['/content/releases', 'publishing'],
  ['/content', 'content'],
  ['/files', 'files'],
  ['/exports', 'imports-and-exports'],
  ['/webhooks', 'webhooks'],
  ['/settings/installation', 'tracking'],
  ['/settings/tracking', 'tracking#settings'],
  ['/settings/members', 'users'],
  ['/settings/audit', 'users'],
  ['/settings/backups', 'backup'],
  ['/settings/cells', 'scaling'],
  ['/settings/rejected-requests', 'troubleshooting'],
  ['/settings/profile', 'users'],
];

/** The guide of a screen, with its section. */
export const guideOf = (path: string) => GUIDE_OF.find(([start]) => path.startsWith(start))?.[1] ?? 'dashboard';
