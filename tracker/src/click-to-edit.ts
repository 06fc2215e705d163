import { type Mark, markOf, marksOf, type Origin } from '../../sdk/src/origins.ts';

/*
 * For sites in previews: outlines what says where it comes from, opens its field in the dashboard, and shows what is typed there. Does
 * nothing on a page without marks.
 */

const script = document.currentScript as HTMLScriptElement;
/** Messages go there, and only come from there. */
const dashboard = new URL(script.dataset.dashboard ?? script.src).origin;
const ORIGIN = 'data-headwater-origin';
const EDITABLE = 'data-headwater-editable';
const MARKED = `[${EDITABLE}],[${ORIGIN}]`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  `${MARKED}{outline:1px dashed #2f7d6d80;outline-offset:2px;cursor:pointer}:is(${MARKED}):hover{outline:2px solid #2f7d6d}`,
);

interface Place {
  node: Text;
  element: Element;
  marks: Mark[];
}

let places: Place[] = [];
let isFramed = false;
let isStyled = false;
let latest: Preview | undefined;

interface Preview {
  type: string;
  entryId: string;
  locale?: string;
  values: Record<string, unknown>;
  /** Rich texts as HTML, by path. */
  html?: Record<string, string>;
}

/** Finds texts with marks, and images whose alternative text has one. */
function scan(): void {
  places = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const marks = node.data.includes('\u2060') ? marksOf(node.data) : [];
    const element = node.parentElement;
    if (marks.length === 0 || !element || /^(?:script|style|option|textarea)$/i.test(element.tagName)) continue;
    places.push({ node, element, marks });
    element.toggleAttribute(EDITABLE, true);
  }
  for (const image of document.images) if (marksOf(image.alt)[0]) image.toggleAttribute(EDITABLE, true);
  if (isStyled || !document.querySelector(MARKED)) return;
  isStyled = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function originAt(element: Element): Origin | undefined {
  const text =
    element.getAttribute(ORIGIN) ??
    (element as HTMLImageElement).alt ??
    [...element.childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
  return marksOf(text)[0]?.origin;
}

/** With Alt, a click does what it does on the site. */
function onClick(event: MouseEvent): void {
  if (event.altKey || !(event.target instanceof Element)) return;
  const element = event.target.closest(MARKED);
  const origin = element && originAt(element);
  if (!origin) return;
  event.preventDefault();
  event.stopPropagation();
  const { entryId, collectionId, field, locale } = origin;
  if (isFramed) {
    parent.postMessage({ type: 'headwater:edit', ...origin }, dashboard);
    return;
  }
  const query = new URLSearchParams({ field, ...(locale && { locale }) });
  open(`${dashboard}/content/${collectionId}/${entryId}?${query}`, 'headwater');
}

/** The value of a path whose rows are named by their IDs or numbers. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (!Array.isArray(value)) return (value as Record<string, unknown> | null | undefined)?.[name];
    return value.find((row) => row?._id === name) ?? value[Number(name)];
  }, values);
}

function show(): void {
  if (!latest) return;
  const { entryId, locale, values, html = {} } = latest;
  const isShown = (origin: Origin) =>
    origin.entryId === entryId && (!origin.locale || !locale || origin.locale === locale);
  for (const { node, marks } of places) {
    let text = node.data;
    // From the end, so that the places of the others stay.
    for (const { origin, start, end, length } of [...marks].reverse()) {
      const value = length > 0 && isShown(origin) ? valueAt(values, origin.field) : undefined;
      if (start < length || value === undefined || (value !== null && typeof value !== 'string')) continue;
      // An empty text keeps a space, as a text of no length cannot be told from one that is shown in another way.
      const next = value || ' ';
      text = text.slice(0, start - length) + next + markOf(origin, next.length) + text.slice(end);
    }
    if (text !== node.data) node.data = text;
  }
  for (const element of document.querySelectorAll(`[${ORIGIN}]`)) {
    const origin = originAt(element);
    const next = origin && isShown(origin) ? html[origin.field] : undefined;
    if (next !== undefined && element.innerHTML !== next) element.innerHTML = next;
  }
}

function onMessage({ source, origin, data }: MessageEvent): void {
  if (source !== parent || source === window || origin !== dashboard) return;
  if (data?.type !== 'headwater:preview' || typeof data.entryId !== 'string' || !data.values) return;
  isFramed = true;
  latest = data as Preview;
  // Sites that show values in their own way call `preventDefault`.
  if (dispatchEvent(new CustomEvent('headwater:preview', { detail: data, cancelable: true }))) {
    scan();
    show();
  } else latest = undefined;
}

function start(): void {
  scan();
  addEventListener('click', onClick, true);
  addEventListener('message', onMessage);
  const changes = new MutationObserver(() => {
    scan();
    // What the page has rendered again has the values that are stored.
    show();
    changes.takeRecords();
  });
  changes.observe(document.body, { childList: true, subtree: true, characterData: true });
  if (parent !== window) parent.postMessage({ type: 'headwater:ready' }, dashboard);
}

if (document.body && document.readyState !== 'loading') start();
else addEventListener('DOMContentLoaded', start);
