import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Outcome } from '../../shared/outbound/sender.ts';

const Reason = Type.Object({
  entryId: Type.Optional(Type.String()),
  field: Type.Optional(Type.String({ pattern: '^[\\w@-]+(\\.[\\w@-]+)*$', maxLength: 200 })),
  message: Type.String({ minLength: 1 }),
});
const Body = Type.Object({ allow: Type.Boolean(), reasons: Type.Optional(Type.Array(Reason)) });

/** Parsing and checking more would keep others waiting. */
const MAX_CHARACTERS = 65_536;
const MAX_REASONS = 100;
const MAX_MESSAGE = 500;

/** What a hook decided. */
export type Answer =
  | { outcome: 'allowed' }
  | { outcome: 'refused'; reasons: { entryId?: string; field?: string; message: string }[] }
  | { outcome: 'failed'; error: string };

const EXPECTED = 'the response is not JSON of the form {"allow": true} or {"allow": false, "reasons": […]}';

/** A response of 2xx without a body allows. */
export function readAnswer({ status, error, response }: Outcome): Answer {
  if (error !== null) return { outcome: 'failed', error: describe(status, error) };
  if (response === null || response.trim() === '') return { outcome: 'allowed' };
  if (response.length > MAX_CHARACTERS) {
    return { outcome: 'failed', error: `the response has more than ${MAX_CHARACTERS} characters` };
  }
  let body: unknown;
  try {
    body = JSON.parse(response);
  } catch {
    return { outcome: 'failed', error: EXPECTED };
  }
  if (!Value.Check(Body, body)) return { outcome: 'failed', error: EXPECTED };
  if (body.allow) return { outcome: 'allowed' };
  const reasons = (body.reasons ?? []).slice(0, MAX_REASONS);
  return { outcome: 'refused', reasons: reasons.map((reason) => ({ ...reason, message: sentence(reason.message) })) };
}

function describe(status: number | null, error: string): string {
  if (error === 'timeout') return 'it did not answer within 5 seconds';
  return status === null ? `the request failed (${error})` : `it answered with status ${status}`;
}

function sentence(message: string): string {
  const text = message
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE)
    .toWellFormed();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
