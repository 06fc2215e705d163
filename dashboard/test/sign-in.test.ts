/** How people sign in: two-factor authentication and passkeys in a real browser. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fromBase32, codeOf as hotp } from '../../server/src/users/security/totp.ts';
import { faultsOf, openPage } from './open-page.ts';
import { OWNER } from './service.ts';
import { browser, service } from './shared.ts';

const codeOf = (key: string, offset = 0) => hotp(fromBase32(key), Math.floor(Date.now() / 30_000) + offset);

it('a user enables two-factor authentication and a passkey, and signs in with a code, a recovery code and the passkey', async () => {
  const email = await service.makeOwner((await service.newAccount('Outdoor shop')).id);
  const { page, complaints } = await openPage(browser, service.url, {}, '/settings/profile');
  const confirm = async (button: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await dialog.getByRole('button', { name: button }).click();
  };
  await page.getByRole('button', { name: 'Enable' }).click();
  await confirm('Continue');
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  const key = (await page.getByRole('group', { name: 'Key', exact: true }).textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Code from the app' }).fill(codeOf(key));
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
  const codes = await page.getByRole('group', { name: 'Recovery codes', exact: true }).textContent();
  const [recoveryCode = ''] = (codes ?? '').split('\n');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('You have 10 unused recovery codes.').waitFor();

  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).last().fill('My laptop');
  await confirm('Continue');
  await page.getByText('My laptop').waitFor();
  assert.deepEqual(await faultsOf(page), []);

  const signOut = async () => {
    await page.context().clearCookies();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };
  const signIn = async (code: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const input = page.getByRole('textbox', { name: 'Code' });
    await input.fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signOut();
  assert.deepEqual(await faultsOf(page), []);
  await signIn('000000');
  await page.getByText('The code is incorrect').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(key, 1));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await signOut();
  await signIn(recoveryCode);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await signOut();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.deepEqual(complaints, []);
  // With its authenticator.
  await page.context().close();
});
