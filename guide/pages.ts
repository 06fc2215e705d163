import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DECISIONS = globSync('docs/decisions/*.md', { cwd: ROOT }).sort();

interface Section {
  title: string;
  pages: { path: string; file: string; title?: string }[];
}

const LISTED: Section[] = [
  {
    title: 'Start',
    pages: [
      { path: 'quick-start', file: 'README.md', title: 'Quick start' },
      { path: 'install', file: 'docs/install.md' },
    ],
  },
  {
    title: 'How to',
    pages: [
      { path: 'how-to/add-the-script', file: 'docs/how-to/add-the-script.md' },
      { path: 'how-to/send-events-from-a-server', file: 'docs/how-to/send-events-from-a-server.md' },
      { path: 'how-to/report-stripe-payments', file: 'docs/how-to/report-stripe-payments.md' },
      { path: 'how-to/set-up-postbacks', file: 'docs/how-to/set-up-postbacks.md' },
      { path: 'how-to/import-content', file: 'docs/how-to/import-content.md' },
      { path: 'how-to/show-content-on-a-site', file: 'docs/how-to/show-content-on-a-site.md' },
    ],
  },
  {
    title: 'Features',
    pages: [
      { path: 'content', file: 'docs/content.md' },
      { path: 'files', file: 'docs/files.md' },
      { path: 'tracking', file: 'docs/tracking.md' },
      { path: 'conversions', file: 'docs/conversions.md' },
      { path: 'destinations', file: 'docs/destinations.md' },
      { path: 'analytics', file: 'docs/analytics.md' },
      { path: 'webhooks', file: 'docs/webhooks.md' },
      { path: 'imports-and-exports', file: 'docs/imports-and-exports.md' },
      { path: 'sdk', file: 'docs/sdk.md' },
      { path: 'dashboard', file: 'docs/dashboard.md' },
      { path: 'users', file: 'docs/users.md' },
    ],
  },
  {
    title: 'Operation',
    pages: [
      { path: 'backup', file: 'docs/backup.md' },
      { path: 'upgrade', file: 'docs/upgrade.md' },
      { path: 'monitoring', file: 'docs/monitoring.md' },
      { path: 'scaling', file: 'docs/scaling.md' },
      { path: 'reliability', file: 'docs/reliability.md' },
      { path: 'performance', file: 'docs/performance.md' },
      { path: 'security', file: 'SECURITY.md' },
      { path: 'changelog', file: 'CHANGELOG.md' },
    ],
  },
  {
    title: 'Design',
    pages: [
      { path: 'architecture', file: 'ARCHITECTURE.md' },
      ...DECISIONS.map((file) => ({ path: `design/${basename(file, '.md')}`, file })),
    ],
  },
];

const files = new Set(LISTED.flatMap(({ pages }) => pages.map(({ file }) => file)));
const others = globSync('docs/*.md', { cwd: ROOT })
  .filter((file) => !files.has(file))
  .sort();

/**
 * The pages of the guide by section, in the order of its navigation; each is a Markdown file of the repository. A file in `docs/`
 * that no section lists comes last.
 */
export const SECTIONS: Section[] = [
  ...LISTED,
  ...(others.length > 0
    ? [{ title: 'More', pages: others.map((file) => ({ path: basename(file, '.md'), file })) }]
    : []),
];
