// Slow: a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { S3_CREDENTIALS, startS3Server } from '../../server/test/s3-server.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

test('a bucket is connected, tested, filled again, paused and deleted', async () => {
  const [s3, account] = [await startS3Server(), await service.newAccount('Outdoor shop')];
  await service.makeOwner(account.id);
  const { page, complaints } = await openPage(browser, service.url, {}, '/settings/warehouse');
  await page.getByRole('button', { name: 'Add bucket' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add bucket' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lake');
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(new URL(s3.url).searchParams.get('endpoint') ?? '');
  await dialog.getByRole('textbox', { name: 'Region' }).fill('test-1');
  await dialog.getByRole('textbox', { name: 'Bucket' }).fill('elsewhere');
  await dialog.getByRole('textbox', { name: 'Access key ID' }).fill(S3_CREDENTIALS.AWS_ACCESS_KEY_ID);
  await dialog.getByLabel('Secret access key').fill(S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  const lake = page.getByRole('region', { name: 'Lake' });
  await lake.getByText('s3://elsewhere').waitFor();
  await lake.getByRole('button', { name: 'Test connection' }).click();
  await page
    .getByText(/NoSuchBucket/)
    .first()
    .waitFor();

  // The secret is asked for again, as another bucket would receive it.
  await lake.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Lake' });
  await edit.getByRole('textbox', { name: 'Bucket' }).fill('bucket');
  await edit.getByLabel('Secret access key').fill(S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY);
  await edit.getByRole('button', { name: 'Save' }).click();
  await lake.getByText('s3://bucket').waitFor();
  await lake.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('The bucket works.').waitFor();
  await lake.getByRole('button', { name: 'Backfill' }).click();
  await page.getByRole('dialog', { name: 'Backfill Lake' }).getByRole('button', { name: 'Export' }).click();
  await lake.getByText('The export is complete.').waitFor();
  await lake.getByRole('button', { name: 'Pause' }).click();
  await lake.getByText('Paused').waitFor();
  await atRest(page);
  assert.deepEqual(await faultsOf(page), []);
  await lake.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete Lake?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No bucket connected').waitFor();
  assert.deepEqual(complaints, []);
  await closePage(page);
});
