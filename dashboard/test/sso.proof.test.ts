// Slow: a real browser.
/** Single sign-on in a real browser, with a real provider: setting it up, signing in, and confirming a change. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseId } from '../../server/src/shared/ids.ts';
import { SECRET, startProvider } from '../../server/src/users/sso/test-provider.ts';
import { browser } from '../../tracker/test/browser.ts';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { startDashboardService } from './service.ts';

const service = await startDashboardService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
const account = await service.newAccount('Outdoor shop');
await service.makeOwner(account.id);

it('an owner sets up single sign-on; a new member signs in by it, and confirms a change at the provider', async () => {
  const { page, complaints } = await openPage(browser, service.url, {}, '/settings/single-sign-on');
  const redirectUri = (await page.getByRole('group', { name: 'Redirect URL' }).textContent()) ?? '';
  const provider = await startProvider([redirectUri]);
  provider.people.set('eve', { email: 'eve@corp.example', email_verified: true, name: 'Eve', groups: ['admins'] });
  provider.current.subject = 'eve';

  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill('headwater');
  await page.getByLabel('Client secret').fill(SECRET);
  await page.getByRole('combobox', { name: 'Email domains' }).fill('corp.example');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Additional scopes' }).fill('groups');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add value' }).click();
  await page.getByRole('textbox', { name: 'Value 1', exact: true }).fill('admins');
  await page.getByRole('combobox', { name: 'Role of value 1' }).click();
  await page.getByRole('option', { name: 'Owner' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Not proven').waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await service.withDatabase((db) =>
    db.query('update sso_domains set proven_at = now() where account_id = $1', [parseId('acc', account.id)]),
  );
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('The provider answers.').waitFor();
  await page.getByText('Proven', { exact: true }).waitFor();

  await page.context().clearCookies();
  // Where the provider sends it back to.
  await page.goto(new URL('/settings/keys', redirectUri).href);
  await page.getByLabel('Email').fill('eve@corp.example');
  const name = `Continue with single sign-on (${new URL(provider.issuer).host})`;
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();

  // The provider said nothing of when the password was entered, or long ago: a change asks it again, in another window.
  await service.withDatabase((db) => db.query("update user_sessions set confirmed_at = now() - interval '1 hour'"));
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Server');
  await dialog.getByText('Secret').first().click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('dialog').last().getByRole('link', { name: 'Continue' }).click();
  await (await opened).getByRole('heading', { name: 'Confirmed' }).waitFor();
  await page
    .getByText(/hw_sk_/)
    .first()
    .waitFor();

  provider.people.set('eve', { email: 'eve@corp.example', email_verified: true, groups: [] });
  await page.context().clearCookies();
  await page.goto(new URL('/', redirectUri).href);
  await page.getByLabel('Email').fill('eve@corp.example');
  await page.getByRole('link', { name }).click();
  await page.getByText('gives you a role in this account').waitFor();
  assert.deepEqual(complaints, []);
  await closePage(page);
});
