// Slow: a real browser.
/** An experiment from its draft, with the values of its variants side by side, to a shipped release. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@headwater/sdk';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

async function newShop() {
  const account = await service.newAccount('Experiment shop');
  await service.makeOwner(account.id);
  const client = createClient({ baseUrl: service.url, token: account.token });
  for (const event of ['signup', 'support_request']) await client.recordEvent({ api_key: account.apiKey, event });
  return { account, client };
}

test('an experiment on content is drafted with values side by side, started, stopped and shipped as a release', async () => {
  const { client } = await newShop();
  const { id: collectionId } = await client.createCollection({
    ...{ name: 'Pages', publishing: true, public: true },
    fields: [{ id: 'title', label: 'Title', type: 'text', required: true }],
  });
  const { id: entryId } = await client.createEntry({ collectionId }, { values: { title: 'Welcome to our shop' } });
  await client.publishEntry({ collectionId, entryId }, {});

  const { page, complaints } = await openPage(browser, service.url, {}, '/experiments/new');
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shorter headline');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('headline');
  await fill('Hypothesis', 'Fewer words sell more');
  await choose('Change content of', 'Pages');
  await choose('Entry', 'Welcome to our shop');
  await choose('Change a field', 'Title');
  await fill('Holdout in percent', '10');
  await page.getByText('Title now').waitFor();
  await fill('Title in new', 'Welcome');
  await choose('Metric', 'Events per visitor');
  await page.getByRole('textbox', { name: 'Event', exact: true }).fill('signup');
  for (const [i, event] of ['support_request', 'refund_asked'].entries()) {
    await page.getByRole('button', { name: 'Add guardrail' }).click();
    await fill(`Guardrail ${i + 1}`, event);
  }
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await choose('Field', 'Device');
  await page.getByRole('combobox', { name: 'Value' }).fill('mobile');
  await page.keyboard.press('Enter');
  await page.getByText('Device: Mobile').waitFor();
  const refusal = page.getByText('Nothing with the name `refund_asked` was ever recorded.');
  await atRest(page);
  assert.equal(await refusal.count(), 0, 'adding a filter sends no form');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await refusal.waitFor();
  await page.getByRole('button', { name: 'Remove guardrail 2' }).click();
  await atRest(page);
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Shorter headline' }).waitFor();

  const [draft] = (await client.listExperiments({})).experiments;
  assert.ok(draft);
  assert.deepEqual(draft.audience, { filters: { device: ['mobile'] } });
  assert.deepEqual(
    draft.guardrails.map(({ event, kind }) => [event, kind]),
    [['support_request', 'events']],
  );
  const values = draft.variants.map((variant) => variant.values);
  assert.deepEqual(values, [null, { [entryId]: { title: 'Welcome' } }]);

  const confirm = async (button: string, action: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await confirm('Start', 'Start');
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Settled visitors' }).waitFor();
  // Nothing is sold that decides.
  assert.equal(await page.getByRole('columnheader', { name: 'Settled revenue' }).count(), 0);
  await confirm('Stop', 'Stop');
  await page.getByText('Stopped', { exact: true }).first().waitFor();
  await confirm('Ship new', 'Ship');
  await page.getByRole('button', { name: 'The values of the shipped variant are a release.' }).click();
  await page.getByRole('dialog', { name: 'Shorter headline: new' }).waitFor();
  const { values: shown } = await client.getEntry({ collectionId, entryId });
  assert.equal(shown.title, 'Welcome');
  const shipped = await client.getExperiment({ experimentId: draft.id });
  assert.deepEqual([shipped.status, shipped.shippedVariant, shipped.releaseId !== null], ['shipped', 'new', true]);
  await page.keyboard.press('Escape');
  await confirm('End holdout', 'End holdout');
  assert.equal((await client.getExperiment({ experimentId: draft.id })).holdout, 0);
  assert.deepEqual(complaints, []);
  await closePage(page);
});

test('an experiment on a page has a snippet to copy, which decides there, also in German', async () => {
  const { client, account } = await newShop();
  const { id } = await client.createExperiment({
    ...{ key: 'button', name: 'Button', metric: { event: 'signup', kind: 'events' } },
    variants: ['a', 'b'].map((key) => ({ key, weight: 0.5 })),
  });
  await client.startExperiment({ experimentId: id }, {});
  const { page } = await openPage(browser, service.url, {}, `/experiments/${id}`);
  const snippet = (await page.getByLabel('Snippet', { exact: true }).textContent()) ?? '';
  assert.ok(snippet.includes(account.apiKey) && snippet.includes('"key":"button"'), snippet.slice(0, 300));
  await page.getByRole('button', { name: /^Copy/ }).first().waitFor();
  // As a page has it, without the script: what it inlines decides.
  const visited = await page.context().newPage();
  await visited.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><head>${snippet}</head><body></body>` }),
  );
  await visited.goto('http://shop.test/');
  assert.match(String(await visited.evaluate("headwater.variant('button')")), /^[ab]$/);
  await visited.close();
  await closePage(page);

  const german = await browser.newContext({
    baseURL: service.url,
    locale: 'de-DE',
    storageState: await page.context().storageState(),
  });
  const seiten = await german.newPage();
  await seiten.goto(`/experiments/${id}`);
  await seiten.getByText('Im Kopf der Seite anstelle des Skripts', { exact: false }).waitFor();
  await seiten.getByText('Noch kein Besucher ist abgerechnet, also ist nichts entschieden.').waitFor();
  await german.close();
});
