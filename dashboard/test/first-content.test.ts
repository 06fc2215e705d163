/** From a new account to a published, previewed and translated page, by hand in the dashboard, counted. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSite } from '../../tracker/test/site.ts';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

/** Those of the first run: creating the account. */
const BEFORE = 1;

it('first content: a published, previewed and translated page with at most 25 clicks', async () => {
  const account = await service.newAccount('First pages');
  await service.makeOwner(account.id);
  // The site shows what the token of the preview reads.
  const port = await openSite(async (_path, request) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://site');
    const query = new URLSearchParams({ key: account.apiKey, preview: searchParams.get('token') ?? '' });
    const at = `${service.url}/v1/content/articles/${searchParams.get('id')}?${query}`;
    const entry = (await (await fetch(at)).json()) as { values?: { title?: string } };
    return { body: `<h1>Site: ${entry.values?.title ?? 'nothing'}</h1>` };
  });
  const { page, complaints } = await openPage(browser, service.url);
  let clicks = BEFORE;
  const click = async (locator: ReturnType<typeof page.getByRole>) => {
    clicks++;
    await locator.click();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // Two languages.
  await page.getByRole('heading', { name: 'Publish content' }).waitFor();
  await click(page.getByRole('link', { name: 'Settings' }));
  await click(page.getByRole('main').getByRole('link', { name: 'Locales' }));
  await click(button('Add a locale'));
  await page.getByRole('textbox', { name: 'Locale' }).fill('en');
  await click(button('Add locale'));
  await page.getByRole('textbox', { name: 'Locale' }).last().fill('de');
  await click(button('Save'));
  await page.getByText('Saved').first().waitFor();

  // A collection from the template, with the URL of the preview.
  await click(page.getByRole('link', { name: 'Home' }));
  await click(page.getByRole('link', { name: 'Create a collection' }));
  await page.getByRole('textbox', { name: 'Preview URL' }).fill(`http://127.0.0.1:${port}/?id={id}&token={token}`);
  assert.deepEqual(await faultsOf(page), []);
  await click(button('Create collection'));

  // An entry in both languages.
  await click(page.getByRole('link', { name: 'New entry' }).first());
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Hello');
  await page.getByRole('textbox', { name: 'Title' }).last().fill('Hallo Öl');
  // Slugs follow their titles, until one is typed.
  const slugs = page.getByRole('textbox', { name: 'Slug' });
  assert.deepEqual([await slugs.first().inputValue(), await slugs.last().inputValue()], ['hello', 'hallo-oel']);
  await slugs.first().fill('');
  assert.equal(await slugs.first().inputValue(), '');
  await slugs.first().fill('hi');
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Hello');
  await page.getByRole('textbox', { name: 'Title' }).last().fill('Hallo');
  assert.deepEqual([await slugs.first().inputValue(), await slugs.last().inputValue()], ['hi', 'hallo']);
  await click(button('Create entry'));
  await page.getByText('version 1').waitFor();
  assert.deepEqual([await slugs.first().inputValue(), await slugs.last().inputValue()], ['hi', 'hallo']);
  await click(button('Preview'));
  await page.frameLocator('iframe').getByText('Site: Hello').waitFor();
  await click(page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'Publish', exact: true }));
  await page.getByRole('region', { name: 'Publishing' }).getByText('Published', { exact: true }).first().waitFor();

  // What a site receives.
  const read = async (locale: string) => {
    const response = await fetch(`${service.url}/v1/content/articles?locale=${locale}&key=${account.apiKey}`);
    const { entries } = (await response.json()) as { entries: { values: { title: string } }[] };
    return entries.map(({ values }) => values.title);
  };
  assert.deepEqual([await read('en'), await read('de')], [['Hello'], ['Hallo']]);
  assert.deepEqual(complaints, []);
  assert(clicks <= 25, `${clicks} clicks`);
  assert.equal(clicks, 13, 'the number in docs/dashboard.md');
  await closePage(page);
});
