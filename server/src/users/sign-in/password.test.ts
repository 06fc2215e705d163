import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword, limitHashing } from './password.ts';
import { weakness } from './password-strength.ts';

/** Of 'correct horse battery', by better-auth 1.7. */
const STORED =
  '6c6d0459e7d123a38a00958ee8b664bd:c079c5142ae52317093b39854a5c2c9528609467db46918314de4a765654514a15f067196442fe8c3fcec8e3f10e63bbecdde1c2ebcf2c5ed6deaba04c02caa4';

const stranger = (last: number) => ({ address: `192.0.2.${last}` });

test('passwords that earlier versions stored stay valid, whatever form of Unicode they are typed in', async () => {
  assert.equal(await isPassword('correct horse battery', STORED, stranger(1)), true);
  assert.equal(await isPassword('correct horse batterx', STORED, stranger(1)), false);
  assert.equal(await isPassword('correct horse battery', undefined, stranger(1)), false);
  const hash = await hashPassword('cafe\u0301 au lait', stranger(1));
  assert.equal(await isPassword('caf\u00e9 au lait', hash, stranger(1)), true);
});

test('a password that waits too long behind others is 429, and the queue goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = limitHashing(stranger(1), () => promise);
  let hasStarted = false;
  const late = limitHashing(
    stranger(1),
    async () => {
      hasStarted = true;
    },
    1,
  );
  await assert.rejects(late, { status: 429, code: 'overloaded', headers: { 'retry-after': '2' } });
  const next = limitHashing(stranger(1), async () => 'next');
  resolve('done');
  assert.deepEqual(await Promise.all([running, next]), ['done', 'next']);
  assert.equal(hasStarted, false);
});

test('strangers who fill their queue are refused at once, and keep neither users nor other addresses waiting', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const order: string[] = [];
  const flood = Array.from({ length: 20 }, (_, i) =>
    limitHashing(stranger(1), () => promise, 60_000).then(
      () => order.push(`flood ${i}`),
      ({ status }) => order.push(`refused ${status}`),
    ),
  );
  const other = limitHashing(stranger(2), async () => order.push('other'), 60_000);
  assert.equal(await limitHashing({ userId: 'ada' }, async () => 'a user'), 'a user');
  resolve('done');
  await Promise.all([...flood, other]);
  const refused = order.filter((each) => each === 'refused 429');
  assert.equal(refused.length, 11, 'one runs and eight wait');
  assert.ok(order.indexOf('other') < order.indexOf('flood 1'), 'addresses take turns');
});

test('an error of the work is thrown as it is', async () => {
  const error = new Error('x');
  await assert.rejects(
    limitHashing(stranger(1), () => Promise.reject(error)),
    error,
  );
});

test('passwords that are easy to guess are refused with the reason, and long ones take no time to check', async () => {
  const reasonOf = async (password: string) => {
    const [fault] = await weakness(password, '/password', ['ada.lovelace@shop.example', 'Ada Lovelace']);
    return fault && [fault.pointer, fault.code, fault.detail.split('. ')[0]];
  };
  const repeats = 'The password repeats the same characters';
  for (const [password, reason] of [
    ['aaaaaaaaaa', repeats],
    ['abcabcabcabc', repeats],
    ['a'.repeat(128), repeats],
    ['qwertyuiop', 'The password is one of the most common ones, or much like one'],
    ['P@ssw0rd123', 'The password is one of the most common ones, or much like one'],
    ['abcdefghijkl', 'The password is a pattern that is easy to guess'],
    ['lovelace1815', 'The password contains your name or email'],
    ['headwater1', 'The password contains your name or email'],
  ] as const) {
    assert.deepEqual(await reasonOf(password), ['/password', 'password_weak', reason], password);
  }
  for (const password of [
    'correct horse battery',
    'another battery',
    'xK9#mQ2$vL',
    '4@8({[<369&#!1/|0$5+7%2'.repeat(5),
  ]) {
    assert.equal(await reasonOf(password), undefined, password);
  }
});
