// Slow: a few seconds of each attack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../proof.ts';
import { ATTACKS } from './attacks.ts';
import { disturb } from './neighbours.ts';

const CHOSEN = ['collections of 200 patterns', 'uploads of hostile media', 'sign-ins by wrong passwords'];

test('an account loses nothing and is refused nothing, whatever another one does', async (context) => {
  const attacks = ATTACKS.filter(({ name }) => CHOSEN.includes(name));
  assert.equal(attacks.length, CHOSEN.length);
  const findings = await disturb(attacks, { seconds: 2, clients: 64, perSecond: 100 }, (line) =>
    context.diagnostic(line),
  );
  // How long things take depends on how busy the machine is.
  assert.deepEqual(failures(findings.filter(({ condition }) => /loses|refused/.test(condition))), []);
});
