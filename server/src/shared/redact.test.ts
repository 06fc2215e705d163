import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOf } from '../../test/event-loop.ts';
import { redactSecrets } from './redact.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

test('secrets are redacted by their form, wherever they stand', () => {
  const secrets = [
    'hw_sk_0123456789abcdefghijABCDEFGHIJ',
    'hw_pb_mistyped1',
    'hw_up_AZrGmd0XcVqKu6yBq0c8xQ-x_9oYb2dDq1Z0m4n5p6q7r8s9t0uvwx',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    JWT,
    '4111111111111111',
    '4111 1111 1111 1111',
    '5555-5555-5555-4444',
    '378282246310005',
    '6011%201111%201111%201117',
  ];
  for (const secret of secrets) {
    for (const text of [
      secret,
      `a ${secret} b`,
      `?q=${secret}&a=1`,
      JSON.stringify({ any: secret }),
      `/x/${secret}/y`,
    ]) {
      const redacted = redactSecrets(text);
      assert.ok(!redacted.includes(secret) && redacted.includes('[redacted]'), `${text}: ${redacted}`);
      assert.equal(redactSecrets(redacted), redacted);
    }
  }
  assert.equal(redactSecrets('Authorization: Bearer abc123def456'), 'Authorization: Bearer [redacted]');
  assert.equal(redactSecrets('{"authorization":"Basic dXNlcjpwYXNz"}'), '{"authorization":"Basic [redacted]"}');
  assert.equal(
    redactSecrets('?h=Authorization%3A%20Bearer%20abc123def456'),
    '?h=Authorization%3A%20Bearer%20[redacted]',
  );
  assert.equal(redactSecrets('Authorization: s3cret'), 'Authorization: [redacted]');
});

test('what only looks like a secret is kept', () => {
  const kept = [
    'The bearer of this letter, a basic introduction and a token gesture',
    'ses_01m85w24gser7t1aaaaaaaaaaa',
    // A time in milliseconds, the number of a session, a click ID, an amount, and a card number with a typing error.
    '1764190000000 9007199254740993 CjwKCAjw4111111111111111 4111111111111111.50 4111111111111112',
    'eyJ',
    '2026-11-24T10:00:00.000Z',
  ];
  for (const text of kept) assert.equal(redactSecrets(text), text);
});

test('any text is redacted in linear time', async () => {
  const long = ['4', '4 ', 'eyJ', 'eyJaaaaaaaaa.', 'Bearer ', 'Authorization: ', 'hw_sk_', '1-', 'whsec_='];
  for (const part of long) {
    const text = part.repeat(100_000 / part.length);
    const took = await workOf(() => void redactSecrets(text));
    assert.ok(took < 300, `${part}: ${took} units`);
  }
});
