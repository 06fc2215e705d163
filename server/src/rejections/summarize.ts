const SECRETS = /^(api_?key|key|token|access_?token|password|secret|authorization|credentials)$/i;
const HIDDEN = '…';
const MAX_TEXT = 300;
const MAX_NODES = 200;
const MAX_ITEMS = 5;

/**
 * A body as it is stored: without secrets, with short texts, the first items of lists and at most 200 values, so that a large
 * one costs no more than a small one.
 */
export function summarize(body: unknown): unknown {
  let nodes = 0;
  const visit = (value: unknown): unknown => {
    if (++nodes > MAX_NODES) return HIDDEN;
    if (typeof value === 'string') return storable(value);
    if (value === null || typeof value !== 'object') return value;
    if (Buffer.isBuffer(value)) return HIDDEN;
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_ITEMS).map(visit);
      return value.length > MAX_ITEMS ? [...items, `${HIDDEN} ${value.length - MAX_ITEMS} more`] : items;
    }
    const members: [string, unknown][] = [];
    for (const name in value) {
      if (nodes > MAX_NODES) break;
      members.push([storable(name), SECRETS.test(name) ? HIDDEN : visit((value as Record<string, unknown>)[name])]);
    }
    return Object.fromEntries(members);
  };
  return body === undefined ? null : visit(body);
}

/** A text as PostgreSQL stores it, without NUL and halves of characters, shortened. */
export function storable(text: string, length = MAX_TEXT): string {
  const short = text.length > length ? `${text.slice(0, length)}${HIDDEN}` : text;
  return short.toWellFormed().replaceAll('\0', '\u{fffd}');
}

const MAX_URL = 1_000;

/** A URL without the keys in its query. */
export function withoutKeys(url: string): string {
  return storable(url.replace(/([?&](?:key|api_key|token)=)[^&]*/gi, `$1${HIDDEN}`), MAX_URL);
}
