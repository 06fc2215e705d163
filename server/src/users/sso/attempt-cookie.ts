import { SecretBox } from '../../shared/secret-box.ts';
import { MINUTE } from '../../shared/units.ts';
import { valueOfCookie } from '../sign-in/sessions.ts';
import type { Attempt } from './provider.ts';

const MAX_AGE_MS = 10 * MINUTE;

/** A sign-in that has begun in a browser. */
export interface BegunSignIn extends Attempt {
  accountId: string;
  /** Of the connection: a sign-in does not outlast a change of it. */
  version: number;
  /** A path of the dashboard. */
  returnTo: string;
  /** The session that is to be confirmed. */
  sessionId: string | null;
  startedAt: number;
}

/**
 * Keeps a sign-in in the browser that began it, encrypted: no other browser can end it, and the service stores nothing for strangers. A
 * browser has one at a time.
 */
export class AttemptCookie {
  readonly #box: SecretBox;
  readonly #publicUrl: () => string;

  constructor(secret: Buffer, publicUrl: () => string) {
    this.#box = new SecretBox(secret, 'sso-attempt');
    this.#publicUrl = publicUrl;
  }

  write(begun: BegunSignIn): string {
    return this.#set(this.#box.seal(Buffer.from(JSON.stringify(begun))).toString('base64url'), MAX_AGE_MS / 1000);
  }

  read(header: string | undefined, accountId: string, now: number): BegunSignIn | undefined {
    const value = valueOfCookie(header, this.#name);
    if (value === undefined) return undefined;
    try {
      const begun = JSON.parse(this.#box.open(Buffer.from(value, 'base64url')).toString()) as BegunSignIn;
      return begun.accountId === accountId && now < begun.startedAt + MAX_AGE_MS ? begun : undefined;
    } catch {
      return undefined;
    }
  }

  clear(): string {
    return this.#set('', 0);
  }

  get #name(): string {
    return this.#isSecure ? '__Host-headwater-sso' : 'headwater-sso';
  }

  get #isSecure(): boolean {
    return this.#publicUrl().startsWith('https:');
  }

  // Lax: the provider sends the browser back by a link. The prefix, which requires the path, keeps other hosts of the domain from setting
  // it: with theirs, the browser would end a sign-in that somebody else began.
  #set(value: string, maxAge: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}

/** A path of the dashboard to return to: nothing that a browser takes for another site, or for a route. */
export function safePath(sent: string | undefined, fallback: string): string {
  const origin = 'http://dashboard';
  const url = sent?.startsWith('/') ? URL.parse(sent, origin) : null;
  if (url?.origin !== origin || /^\/(auth|v1)\//.test(url.pathname)) return fallback;
  return `${url.pathname}${url.search}${url.hash}`.replace(/^\/{2,}/, '/');
}
