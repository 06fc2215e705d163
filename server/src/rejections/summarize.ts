import { redactSecrets } from '../shared/redact.ts';

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
    // A card number.
    if (typeof value === 'number' && redactSecrets(String(value)) !== String(value)) return HIDDEN;
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

/** More is never read, so that a long text costs no more than a short one. */
const MAX_READ = 4_000;

/** A text as PostgreSQL stores it, without secrets, NUL and halves of characters, shortened. */
export function storable(text: string, length = MAX_TEXT): string {
  const clean = redactSecrets(text.slice(0, MAX_READ));
  const short = clean.length > length || text.length > MAX_READ ? `${clean.slice(0, length)}${HIDDEN}` : clean;
  return short.toWellFormed().replaceAll('\0', '\u{fffd}');
}

const MAX_URL = 1_000;

/** A URL without the keys in its query, and without what has the form of a secret, encoded or not. */
export function withoutKeys(url: string): string {
  const [path = '', ...query] = url.split('?');
  const named = query.join('?').replace(/(^|&)(key|api_key|token)=[^&]*/gi, `$1$2=${HIDDEN}`);
  const members = named.slice(0, MAX_READ).split('&').map(redactMember);
  return storable(query.length > 0 ? `${path}?${members.join('&')}` : path, MAX_URL);
}

function redactMember(member: string): string {
  const decoded = decode(member);
  const redacted = redactSecrets(decoded);
  return redacted === decoded ? member : redacted;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
