/**
 * Builds the guide into `dist/`, from the Markdown files of the repository: `npm run build`. Pages, their Markdown twins, a search
 * index and `llms.txt`. Fails on a link between pages that leads nowhere.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
// @ts-expect-error Eleventy has no types.
import Eleventy from '@11ty/eleventy';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { SECTIONS } from './pages.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(import.meta.dirname, 'dist');
const SEARCH = { fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading', 'url'] };

interface Page {
  path: string;
  file: string;
  title: string;
  markdown: string;
}

const pages: Page[] = SECTIONS.flatMap(({ pages: listed }) => listed).map(({ path, file, title }) => {
  const markdown = readFileSync(join(ROOT, file), 'utf8');
  return { path, file, markdown, title: title ?? /^# (.+)$/m.exec(markdown)?.[1] ?? path };
});
const pathOf = new Map(pages.map(({ file, path }) => [file, path]));
const faults: string[] = [];

/** Where a link of a page leads in the guide: to a page, to a picture beside it, or to the file in the repository. */
function resolveLink(href: string, { file, path }: Page): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const found = posix.join(posix.dirname(file), target);
  const to = pathOf.get(found) ?? (found.startsWith('docs/screenshots/') ? found.slice('docs/'.length) : undefined);
  if (to === undefined) {
    if (globSync(found, { cwd: ROOT }).length === 0) faults.push(`${file}: ${href} leads nowhere`);
    return undefined;
  }
  const url = posix.relative(posix.dirname(path), to) || posix.basename(to);
  return fragment === undefined ? url : `${url}#${fragment}`;
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

rmSync(DIST, { recursive: true, force: true });
const eleventy = new Eleventy(join(import.meta.dirname, 'assets'), DIST, {
  quietMode: true,
  // biome-ignore lint/suspicious/noExplicitAny: Eleventy has no types
  config(config: any) {
    config.setIncludesDirectory('../layouts');
    config.setLayoutsDirectory('../layouts');
    for (const page of pages) {
      const data = {
        layout: 'page.11ty.js',
        permalink: `${page.path}.html`,
        page_path: page.path,
        title: page.title,
        sections: SECTIONS.map(withTitles),
        templateEngineOverride: 'md',
      };
      config.addTemplate(`${page.path}.md`, page.markdown, data);
    }
    // biome-ignore lint/suspicious/noExplicitAny: markdown-it's types are not a dependency
    config.amendLibrary('md', (md: any) => {
      md.set({ html: false, linkify: false });
      // biome-ignore lint/suspicious/noExplicitAny: as above
      md.core.ruler.push('guide', (state: any) => adaptTokens(state));
      // Long lines scroll, also by the keyboard.
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (...all: unknown[]) => fence(...all).replace('<pre', '<pre tabindex="0"');
    });
  },
});
await eleventy.write();

/** Headings get anchors; links lead to pages of the guide. */
// biome-ignore lint/suspicious/noExplicitAny: tokens of markdown-it
function adaptTokens({ tokens, env }: any): void {
  const page = pages.find(({ path }) => path === env.page_path);
  if (!page) return;
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slug(tokens[i + 1].content.replace(/[`*]/g, '')));
    // An empty cell is no header: screen readers would announce nothing.
    if (token.type === 'th_open' && tokens[i + 1].content.trim() === '') token.tag = tokens[i + 2].tag = 'td';
    for (const child of token.children ?? []) {
      for (const name of ['href', 'src']) {
        const value = child.attrGet?.(name);
        if (!value) continue;
        const url = resolveLink(value, page);
        if (url !== undefined) child.attrSet(name, url);
        // A file of the repository that is no page.
        else child.attrs = child.attrs.filter(([attribute]: [string]) => attribute !== name);
      }
    }
    if (token.type === 'table_open') token.attrSet('tabindex', '0');
  }
}

function withTitles({ title, pages: listed }: (typeof SECTIONS)[number]) {
  return { title, pages: listed.map(({ path }) => ({ path, title: pages.find((page) => page.path === path)?.title })) };
}

/** One entry for each section of a page. */
function* searchEntries(): Generator<Record<string, string>> {
  for (const { path, title, markdown } of pages) {
    for (const [i, part] of markdown.split(/^(?=##+ )/m).entries()) {
      const heading = /^##+ (.+)$/m.exec(part)?.[1]?.replace(/[`*]/g, '') ?? '';
      const url = heading === '' ? path : `${path}#${slug(heading)}`;
      yield { id: `${path} ${i}`, url, title, heading, text: part.replace(/[`#|*-]+/g, ' ') };
    }
  }
}
const index = new MiniSearch(SEARCH);
index.addAll([...searchEntries()]);
writeFileSync(join(DIST, 'search.json'), JSON.stringify(index));

for (const { path, markdown } of pages) {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, `${path}.md`), markdown);
}
writeFileSync(
  join(DIST, 'llms.txt'),
  `# Headwater

> Content, tracking, conversions, exports and files for landing pages and funnels, behind one REST API and one dashboard. Self-hosted.

The API is described in /openapi.json. Every page is also available as Markdown:

${SECTIONS.map(
  ({ title, pages: listed }) =>
    `## ${title}\n\n${withTitles({ title, pages: listed })
      .pages.map((page) => `- [${page.title}](/guide/${page.path}.md)`)
      .join('\n')}`,
).join('\n\n')}
`,
);
cpSync(join(ROOT, 'docs/screenshots'), join(DIST, 'screenshots'), { recursive: true });
cpSync(join(import.meta.dirname, 'assets/guide.css'), join(DIST, 'guide.css'));
const { metafile } = await build({
  entryPoints: [join(import.meta.dirname, 'assets/guide.ts'), join(import.meta.dirname, 'graphiql/graphiql.tsx')],
  entryNames: '[name]',
  outdir: DIST,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  define: { SEARCH: JSON.stringify(SEARCH), 'process.env.NODE_ENV': '"production"' },
  jsx: 'automatic',
  // GraphiQL's icons are named by them.
  keepNames: true,
  plugins: [
    { name: 'system fonts', setup: ({ onLoad }) => onLoad({ filter: /graphiql.dist.style\.css$/ }, withoutFonts) },
  ],
  absWorkingDir: ROOT,
  metafile: true,
  tsconfigRaw: '{}',
  logLevel: 'warning',
});

/** The fonts in GraphiQL's style sheet are two thirds of it. */
function withoutFonts({ path }: { path: string }) {
  return { contents: readFileSync(path, 'utf8').replaceAll(/@font-face\s*\{[^}]*\}/g, ''), loader: 'css' as const };
}
// For the notices of their licenses.
writeFileSync(join(DIST, '.modules.json'), JSON.stringify(Object.keys(metafile.inputs).sort()));
const texts = globSync('**/*.{html,md,txt,js,css,json}', { cwd: DIST });
for (const name of texts)
  writeFileSync(join(DIST, `${name}.gz`), gzipSync(readFileSync(join(DIST, name)), { level: 9 }));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`guide: ${pages.length} pages in ${relative(ROOT, DIST)}`);
