/** The search of the guide: the index is loaded when the field gets the focus. */
import MiniSearch, { type Options, type SearchResult } from 'minisearch';

declare const SEARCH: Options;

const base = document.body.dataset.base ?? '.';
const input = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLUListElement>('#results');
let index: Promise<MiniSearch> | undefined;
let found: SearchResult[] = [];
let selected = -1;

const load = async () => MiniSearch.loadJSON(await (await fetch(`${base}/search.json`)).text(), SEARCH);

function show(): void {
  if (!input || !list) return;
  list.hidden = found.length === 0;
  input.setAttribute('aria-expanded', String(found.length > 0));
  list.replaceChildren(
    ...found.map(({ title, heading }, i) => {
      const item = document.createElement('li');
      item.id = `result-${i}`;
      item.role = 'option';
      item.ariaSelected = String(i === selected);
      item.textContent = heading ? `${title} › ${heading}` : title;
      item.addEventListener('mousedown', () => open(i));
      return item;
    }),
  );
  if (selected >= 0) input.setAttribute('aria-activedescendant', `result-${selected}`);
  else input.removeAttribute('aria-activedescendant');
}

function open(i: number): void {
  const result = found[i];
  if (result) location.assign(`${base}/${result.url}`);
}

input?.addEventListener('focus', () => {
  index ??= load();
});
input?.addEventListener('input', async () => {
  index ??= load();
  const query = input.value;
  const results = (await index).search(query, { prefix: true, fuzzy: 0.15, boost: { title: 3, heading: 2 } });
  if (query !== input.value) return;
  found = results.slice(0, 10);
  selected = found.length > 0 ? 0 : -1;
  show();
});
input?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') open(selected);
  else if (event.key === 'Escape') found = [];
  else if (event.key === 'ArrowDown') selected = Math.min(selected + 1, found.length - 1);
  else if (event.key === 'ArrowUp') selected = Math.max(selected - 1, 0);
  else return;
  event.preventDefault();
  show();
});
input?.addEventListener('blur', () => {
  found = [];
  show();
});
