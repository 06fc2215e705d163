import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@headwater/sdk';
import { startReceiver } from '../../server/src/webhooks/test-support.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

test('a publish hook is added by hand, and its reasons are shown at the fields of an entry', async () => {
  const account = await service.newAccount('Outdoor shop');
  await service.makeOwner(account.id);
  const receiver = await startReceiver();
  receiver.respond = (response) =>
    response.end('{"allow":false,"reasons":[{"field":"title","message":"Legal wants another word."}]}');
  const client = createClient({ baseUrl: service.url, token: account.token });
  const { id: collectionId } = await client.createCollection({
    name: 'Articles',
    publishing: true,
    fields: [{ id: 'title', label: 'Title', type: 'text', required: true }],
  });
  const { id } = await client.createEntry({ collectionId }, { values: { title: 'Word' } });
  const { page, complaints } = await openPage(browser, service.url, {}, '/webhooks');
  await page.getByRole('button', { name: 'Add publish hook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Legal');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Add publish hook' }).click();
  await page.getByText('Publish hook created').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('table', { name: 'Publish hooks' }).getByText('Not asked yet').waitFor();
  await atRest(page);
  assert.deepEqual(await faultsOf(page), []);

  await page.goto(`/content/${collectionId}/${id}`);
  const bar = page.getByRole('region', { name: 'Publishing' });
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  await bar.getByText('"Legal" refuses: Legal wants another word.').waitFor();
  await page.goBack();
  await page.getByRole('table', { name: 'Publish hooks' }).getByText('Refused', { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  await closePage(page);
});
