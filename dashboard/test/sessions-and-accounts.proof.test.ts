// Slow: a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { furnish } from './furnish.ts';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { type Account, OWNER } from './service.ts';
import { browser, service } from './shared.ts';

describe('unsaved changes', () => {
  let account: Account;
  let client: Awaited<ReturnType<typeof furnish>>['client'];
  let landingPages: string;
  let entryId: string;
  let email: string;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    email = await service.makeOwner(account.id);
    const shop = await furnish(service.url, account.token, account.apiKey);
    ({ client, landingPages } = shop);
    entryId = shop.entryIds[0] ?? '';
  });

  it('survive the end of the session: signing in again happens in a dialog over the form', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings/tracking');
    await page.getByRole('combobox', { name: 'Allowed domains' }).fill('https://kept.example');
    await page.keyboard.press('Enter');
    // The browser still has the cookie of a session that has ended.
    await page.context().addCookies([{ name: 'headwater', value: 'ended.session', url: service.url }]);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await dialog.getByLabel('Email').inputValue(), email);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('https://kept.example').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.deepEqual((await client.getTrackingSettings()).allowedOrigins, ['https://kept.example']);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('are not lost by a link, Back, Escape or a click outside', async () => {
    const { page } = await openPage(browser, service.url, {}, '/settings/tracking');
    await page.getByRole('combobox', { name: 'Excluded IPs' }).fill('203.0.113.7');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.getByRole('link', { name: 'Analytics' }).click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('203.0.113.7').waitFor();
    await page.getByRole('link', { name: 'Analytics' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/one');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Keep editing' }).click();
    await page.mouse.click(4, 4);
    await form.getByText('You have unsaved changes.').waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'URL' }).inputValue(), 'https://hooks.example/one');
    await form.getByRole('button', { name: 'Discard changes' }).click();
    await form.waitFor({ state: 'hidden' });
    await closePage(page);
  });

  it('are restored after a reload, and gone once they are discarded', async () => {
    const { page } = await openPage(browser, service.url, {}, '/settings/tracking');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('combobox', { name: 'Excluded IPs' }).fill('203.0.113.9');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      Object.values(localStorage).some((value) => String(value).includes('203.0.113.9')),
    );
    await page.reload();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    await page.getByText('203.0.113.9').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('203.0.113.9').waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Tracking' }).waitFor();
    assert.equal(await page.getByText('203.0.113.9').count(), 0);
    await closePage(page);
  });

  it('to an entry are restored after a reload, and saved', async () => {
    const { page } = await openPage(browser, service.url, {}, `/content/${landingPages}/${entryId}`);
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('textbox', { name: 'Headline' }).fill('Written before the reload');
    await page.waitForFunction(() =>
      Object.values(localStorage).some((value) => String(value).includes('before the reload')),
    );
    await page.reload();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Written before the reload' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Written before the reload' }).waitFor();
    assert.equal(await page.getByText('Your unsaved changes were restored.').count(), 0);
    await closePage(page);
  });

  it('include a secret that is shown once: only “I have saved it” closes its dialog', async () => {
    const { page } = await openPage(browser, service.url, {}, '/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Back end');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByRole('group', { name: 'New key' });
    await secret.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    assert.match((await secret.textContent()) ?? '', /^hw_sk_/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await secret.waitFor({ state: 'hidden' });
    await closePage(page);
  });
});

describe('URLs', () => {
  const nameOf = /^Account/;
  let first: Account;
  let second: Account;

  before(async () => {
    first = await service.newAccount('First shop');
    second = await service.newAccount('Second shop');
    const { page } = await openPage(browser, service.url);
    // Joining an account lands in it.
    for (const [{ id }, name] of [
      [first, 'First shop'],
      [second, 'Second shop'],
    ] as const) {
      await page.goto(await service.invite(id, 'owner'));
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('button', { name: nameOf }).filter({ hasText: name }).waitFor();
    }
    await closePage(page);
  });

  it('name the account: a link opens the right one, and two tabs show two accounts', async () => {
    const { page } = await openPage(browser, service.url, {}, '/leads');
    await page.waitForURL(/\/acc_\w+\/leads$/);
    const context = page.context();
    const urlOf = (name: string) =>
      context.newPage().then(async (tab) => {
        await tab.goto('/');
        await tab.getByRole('button', { name: nameOf }).click();
        await tab.getByRole('menuitem', { name }).click();
        await tab.getByRole('button', { name: nameOf }).filter({ hasText: name }).waitFor();
        await tab.getByRole('link', { name: 'Analytics' }).click();
        await tab.getByRole('link', { name: 'Sessions' }).click();
        await tab.waitForURL(/\/sessions$/);
        return { tab, url: tab.url() };
      });
    const one = await urlOf('First shop');
    const two = await urlOf('Second shop');
    assert.notEqual(one.url, two.url);
    await one.tab.reload();
    await one.tab.getByRole('button', { name: nameOf }).filter({ hasText: 'First shop' }).waitFor();
    await page.goto(two.url);
    await page.getByRole('button', { name: nameOf }).filter({ hasText: 'Second shop' }).waitFor();
    await page.goto('/acc_00000000000000000000000000/leads');
    await page.getByRole('heading', { name: 'Account not found' }).waitFor();
    await page.getByRole('link', { name: 'Open First shop' }).click();
    await page.getByRole('button', { name: nameOf }).filter({ hasText: 'First shop' }).waitFor();
    await context.close();
  });

  it('keep filters in the history: Back undoes the last one, Reload keeps it', async () => {
    const { page } = await openPage(browser, service.url, {}, '/overview');
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('7 days').click();
    await page.waitForURL(/period=week/);
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('90 days').click();
    await page.waitForURL(/period=quarter/);
    await page.goBack();
    await page.waitForURL(/period=week/);
    await page.reload();
    assert(await page.getByRole('radio', { name: '7 days' }).isChecked());
    await page.goBack();
    await page.waitForURL(/overview$/);
    await page.goForward();
    await page.waitForURL(/period=week/);
    await closePage(page);
  });
});
