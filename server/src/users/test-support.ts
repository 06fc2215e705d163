import assert from 'node:assert/strict';
import type { Answer, TestService } from '../../test/harness.ts';
import { dashboardHeaders } from '../../test/users.ts';
import { BUILT_IN_ROLES } from '../accounts/index.ts';

export const ORIGIN = { origin: 'http://headwater.test' };
export const GOOD = 'correct horse battery';

/** The cookie that a response sets, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [set] = [headers['set-cookie']].flat();
  assert.ok(typeof set === 'string', 'a cookie is set');
  return set.split(';', 1)[0] ?? '';
}

/** The token of a link: the part after `#`. */
export function tokenOf(link: string | undefined): string {
  assert.ok(link);
  return new URL(link).hash.slice(1);
}

/** Sends a request from a dashboard page, with or without a session cookie. */
export function onPage(service: TestService) {
  return (request: string, body?: unknown, cookie = '', headers: Record<string, string> = {}): Promise<Answer> =>
    service.call(request, {
      ...(body !== undefined && { body }),
      headers: { ...dashboardHeaders({ cookie }), ...(cookie === '' && { cookie: 'other=1' }), ...headers },
    });
}

/** What the state of a session says of a built-in role. */
export function rightsOf(key: 'owner' | 'editor' | 'viewer') {
  const role = BUILT_IN_ROLES.find((each) => each.key === key);
  return { permissions: role?.permissions, features: role?.features };
}
