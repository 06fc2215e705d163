import { posix } from 'node:path';

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export default class Page {
  render({ title, content, sections, page_path: path }) {
    const to = (target) => posix.relative(posix.dirname(path), target) || posix.basename(target);
    const link = (page) =>
      `<li><a href="${to(page.path)}"${page.path === path ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`;
    const navigation = sections
      .map((section) => `<h2>${section.title}</h2><ul>${section.pages.map(link).join('')}</ul>`)
      .join('');
    const all = sections.flatMap((section) => section.pages);
    const at = all.findIndex((page) => page.path === path);
    const next = all[at + 1];
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} · Headwater guide</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${to('guide.css')}">
<link rel="alternate" type="text/markdown" href="${posix.basename(path)}.md">
<script type="module" src="${to('guide.js')}"></script>
</head>
<body data-base="${to('.')}">
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="${to('quick-start')}">Headwater guide</a>
<search><label for="search">Search</label><input id="search" type="search" autocomplete="off" placeholder="Search the guide" role="combobox" aria-expanded="false" aria-controls="results"><ul id="results" role="listbox" aria-label="Results" hidden></ul></search>
<a href="${to('../docs')}">API reference</a>
</header>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="columns">
<nav class="side" aria-label="Pages">${navigation}</nav>
<main id="content">
${content}
<footer>${next ? `Next: <a href="${to(next.path)}">${escapeHtml(next.title)}</a> · ` : ''}<a href="${posix.basename(path)}.md">This page as Markdown</a></footer>
</main>
</div>
</body>
</html>
`;
  }
}
