import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

interface Page {
  /** Below `/guide/`, without an ending. */
  path: string;
  /** The Markdown file of the repository. */
  file: string;
  title?: string;
}

interface Section {
  title: string;
  pages: Page[];
}

const FIRST_PAGE: Page = { path: 'quick-start', file: 'README.md', title: 'Quick start' };

/** The path of a page is that of its file below `docs/`. */
const page = (file: string): Page => ({
  path: file
    .replace(/^docs\//, '')
    .replace(/^decisions\//, 'design/')
    .replace(/\.md$/, '')
    .toLowerCase(),
  file,
});

const all = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort().map(page);
const named = (names: string) => names.split(' ').map((name) => page(`docs/${name}.md`));

const LISTED: Section[] = [
  { title: 'Start', pages: [FIRST_PAGE, ...named('install compare')] },
  { title: 'How to', pages: all('docs/how-to/*.md') },
  {
    title: 'Features',
    pages: named(
      'content publishing graphql schema files tracking conversions reconciliation destinations analytics alerts sql webhooks integrations agents imports-and-exports warehouse sdk dashboard users',
    ),
  },
  {
    title: 'Operation',
    pages: [
      ...named('sizing scaling backup upgrade monitoring privacy troubleshooting reliability performance'),
      ...['SECURITY.md', 'CHANGELOG.md'].map(page),
    ],
  },
  { title: 'Design', pages: [page('ARCHITECTURE.md'), ...all('docs/decisions/*.md')] },
];

const listed = new Set(LISTED.flatMap(({ pages }) => pages.map(({ file }) => file)));
const others = all('docs/*.md').filter(({ file }) => !listed.has(file));

/**
 * The pages of the guide by section, in the order of its navigation. A file in `docs/` that no section names comes last.
 */
export const SECTIONS: Section[] = others.length > 0 ? [...LISTED, { title: 'More', pages: others }] : LISTED;
