import assert from 'node:assert/strict';
import { it } from 'node:test';
import { launchBrowser } from '../../tracker/test/browser.ts';
import { faultsOf } from './open-page.ts';
import { OWNER, startDashboardService } from './service.ts';

const service = await startDashboardService();
const browser = await launchBrowser();

it('begins by the link of the first run, and leads to a key that is shown once', async () => {
  const link = await service.firstRunLink();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(service.url);
  await page.getByText('Nobody can sign in yet').waitFor();
  await page.goto(link);
  await page.getByLabel('Name of the account').fill('First shop');
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Begin' }).click();

  await page.getByRole('heading', { name: 'Installation' }).waitFor();
  await page.getByRole('button', { name: 'Make one: publishable key' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shop.example');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByRole('group', { name: 'The new key' }).textContent();
  assert.match(key ?? '', /^hw_pk_/);
  await page.getByRole('button', { name: 'Done' }).click();
  assert((await page.getByRole('group', { name: 'Snippet' }).textContent())?.includes(`apiKey:'${key}'`));

  await page.goto(`${service.url}/settings/keys`);
  await page.getByRole('cell', { name: 'shop.example', exact: true }).waitFor();
  assert(!(await page.content()).includes(key ?? ''));

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('do not belong together').waitFor();
  await context.close();
});
