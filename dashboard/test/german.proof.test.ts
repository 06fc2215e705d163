// Slow: every page in a browser that speaks German.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { client, email, openGerman, signIn, testGermanPages } from './german.ts';
import { atRest } from './open-page.ts';
import { OWNER } from './service.ts';
import './shared.ts';
import { lostPresses } from './slow-presses.ts';

testGermanPages(() => true);

it('follows the choice of a person, on every device, and that of a device before the sign-in', async () => {
  const page = await openGerman();
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await signIn(page);
  await page.goto('/settings/profile');
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
  await stored;
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  const { user } = (await (await page.request.get('/auth/session')).json()) as { user: { language: string } };
  assert.equal(user.language, 'en');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');

  // Another device, whose browser is German.
  const other = await openGerman();
  await other.goto('/');
  await other.getByLabel('E-Mail').fill(email);
  await other.getByRole('textbox', { name: 'Passwort' }).fill(OWNER.password);
  await other.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

  await page.getByRole('combobox', { name: 'Language' }).selectOption('');
  await page.getByRole('heading', { name: 'Ihr Profil' }).waitFor();
  await page.context().close();
  await other.context().close();
});

it('says what the service refuses in German', async () => {
  const page = await openGerman();
  await signIn(page);
  await page.goto('/settings/tracking');
  await page.getByRole('combobox', { name: 'Erlaubte Domains' }).fill('nowhere');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByText('nowhere: Dieser Wert muss eine Herkunft ohne Pfad sein, etwa https://shop.example').waitFor();
  await page.context().close();
});

it('loads no catalogue for English', async () => {
  const page = await openGerman('en-GB');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(
    loaded.filter((path) => /\/de-\w+\.js$/.test(path)),
    [],
  );
  await page.context().close();
});

it('keeps the button that saves in its place on phones, whatever is said beside it', async () => {
  const page = await openGerman();
  await signIn(page);
  const guides = (await client.listCollections().all()).find(({ name }) => name === 'Guides');
  const [entry] = await client.listEntries({ collectionId: guides?.id ?? '' }).all();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/content/${guides?.id}/${entry?.id}`);
  const save = page.getByRole('button', { name: 'Speichern', exact: true });
  await save.waitFor();
  await atRest(page);
  const before = await save.boundingBox();
  await page.getByRole('textbox', { name: 'Title' }).fill('Zelte');
  await page.getByText('Ungespeicherte Änderungen, für Sie aufbewahrt').waitFor();
  assert.deepEqual(await save.boundingBox(), before);
  assert.deepEqual(await lostPresses(page), []);
  await page.context().close();
});
