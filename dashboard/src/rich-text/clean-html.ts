/** Of a document that was copied: which of its images the service can store. */
type ImageSource = 'library' | 'upload' | 'lost';

/** An image of this service, one that can be uploaded (on the web or in the clipboard), or one that only its computer has. */
export function imageSourceOf(src: string, origin = window.location.origin): ImageSource {
  if (src.startsWith('/') || src.startsWith(`${origin}/`)) return 'library';
  return /^(?:https?:\/\/|data:image\/)/i.test(src) ? 'upload' : 'lost';
}

/** HTML that was copied from Word, Google Docs or a page, as a tree without what is only about its looks. */
export function cleanHtml(html: string): { body: HTMLElement; lost: number } {
  // The content security policy lets no style of a text apply, so that they are read as data.
  const inert = html
    .replace(/<style\b[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  for (const each of body.querySelectorAll('script, meta, link, title, xml, o\\:p')) each.remove();
  removeComments(body);
  wordLists(body);
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    // Google Docs writes a nested list beside its item.
    const item = list.previousElementSibling;
    if (item?.tagName === 'LI') item.append(list);
  }
  for (const each of [...body.querySelectorAll('[data-style]')]) formatsOf(each);
  // The underline of a link is its look.
  for (const each of body.querySelectorAll('a u')) each.replaceWith(...each.childNodes);
  let lost = 0;
  for (const image of [...body.querySelectorAll('img')]) {
    if (imageSourceOf(image.getAttribute('src') ?? '') !== 'lost') figureOf(image);
    else {
      image.remove();
      lost++;
    }
  }
  return { body, lost };
}

/** Formats that are written as styles, by what a style has to match. */
const FORMATS: [tag: string, style: RegExp][] = [
  ['strong', /font-weight:\s*(?:bold|[6-9]00)/i],
  ['em', /font-style:\s*italic/i],
  ['u', /text-decoration(?:-line)?:[^;]*underline/i],
  ['s', /text-decoration(?:-line)?:[^;]*line-through/i],
  ['sup', /vertical-align:\s*super/i],
  ['sub', /vertical-align:\s*sub(?!\w)/i],
];

/** Replaces the styles of an element by the elements that mean the same. */
function formatsOf(element: Element): void {
  const style = element.getAttribute('data-style') ?? '';
  element.removeAttribute('data-style');
  // Google Docs wraps a whole document in `<b style="font-weight:normal">`.
  if (element.tagName === 'B' && /font-weight:\s*(?:normal|400)/i.test(style))
    element.replaceWith(...element.childNodes);
  if (!/^(?:SPAN|A|FONT)$/.test(element.tagName)) return;
  for (const [tag] of FORMATS.filter(([, pattern]) => pattern.test(style))) {
    const format = document.createElement(tag);
    format.append(...element.childNodes);
    element.append(format);
  }
}

function removeComments(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const each of found) each.parentNode?.removeChild(each);
}

/** An image with its caption, as the schema reads it. */
function figureOf(image: HTMLImageElement): void {
  if (image.closest('figure')) return;
  const figure = document.createElement('figure');
  image.replaceWith(figure);
  figure.append(image);
}

/** Word's paragraphs with the classes and styles of list items, as lists. */
function wordLists(body: HTMLElement): void {
  const items = [...body.querySelectorAll<HTMLElement>('p[data-style*="mso-list"], p[class^="MsoListParagraph"]')];
  /** The open lists by level. */
  let open: HTMLElement[] = [];
  let last: Element | undefined;
  for (const item of items) {
    const level = Number(/level(\d+)/.exec(item.getAttribute('data-style') ?? '')?.[1] ?? 1);
    const marker = item.querySelector<HTMLElement>(
      '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
    );
    const text = (marker ?? item).textContent ?? '';
    const isOrdered = /^\s*\(?(?:\d+|[a-z]|[ivx]+)[.)]/i.test(text);
    if (!marker && !isOrdered && !/^\s*[·•o§-]\s/.test(text)) continue;
    marker?.remove();
    if (last === undefined || item.previousElementSibling !== last) open = [];
    open = open.slice(0, level);
    const tag = isOrdered ? 'ol' : 'ul';
    const parent = open.at(-1);
    if (parent === undefined || open.length < level) {
      const list = document.createElement(tag);
      if (parent?.lastElementChild) parent.lastElementChild.append(list);
      else item.before(list);
      open.push(list);
    }
    const line = document.createElement('li');
    line.append(...item.childNodes);
    if (!marker) stripMarker(line);
    open.at(-1)?.append(line);
    last = open[0];
    item.remove();
  }
}

/** Removes the bullet or number at the start of a text. */
function stripMarker(line: HTMLElement): void {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const first = walker.nextNode();
  if (first)
    first.textContent = (first.textContent ?? '').replace(/^\s*(?:[·•o§-]|\(?(?:\d+|[a-z]|[ivx]+)[.)])\s+/i, '');
}
