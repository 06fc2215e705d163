/** The language of the dashboard and of mails: the person's choice, else that of the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { createTestUser, PASSWORD } from '../../test/users.ts';
import { LANGUAGES, preferredLanguage } from '../shared/languages.ts';
import { confirmEmailMail, invitationMail, resetMail, securityMail } from './mails.ts';
import { onPage } from './test-support.ts';

const service = await testService();
const change = (by: Awaited<ReturnType<typeof createTestUser>>, body: object) =>
  service.call('PATCH /auth/user', { by, body });

test('a person chooses a language or that of the browser, beside the name or alone; an unknown one is 400', async () => {
  const ada = await createTestUser(service, await service.newAccount());
  const state = (await service.call('GET /auth/session', { by: ada })).body;
  assert.equal(state.user.language, null);
  const { body } = await change(ada, { language: 'de' });
  assert.deepEqual([body.user.language, body.user.name], ['de', state.user.name]);
  assert.equal((await change(ada, { name: 'Ada' })).body.user.language, 'de', 'the name alone');
  const unknown = await change(ada, { language: 'xx' });
  assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/language']);
  assert.equal((await change(ada, {})).status, 400);
  assert.deepEqual((await change(ada, { name: 'Ada B.', language: null })).body.user.language, null);
});

test('mails are in the language that was chosen, else in that of the browser of the last sign-in', async () => {
  const ada = await createTestUser(service, await service.newAccount());
  const languageOf = async () => {
    const { rows } = await service.control.query(
      "select coalesce(language, browser_language, 'en') as language from users where id = $1",
      [ada.uuid],
    );
    return rows[0]?.language;
  };
  const signIn = (accept: string) =>
    onPage(service)('POST /auth/sign-in', { email: ada.email, password: PASSWORD }, '', { 'accept-language': accept });
  assert.equal(await languageOf(), 'en');
  await signIn('de-AT,de;q=0.9,en;q=0.8');
  assert.equal(await languageOf(), 'de');
  await change(ada, { language: 'en' });
  assert.equal(await languageOf(), 'en');
});

test('a browser prefers the first known language by its quality', () => {
  assert.ok(LANGUAGES.includes('de'));
  assert.equal(preferredLanguage('de-AT,de;q=0.9,en;q=0.8'), 'de');
  assert.equal(preferredLanguage('xx, en;q=0.3, DE-de;q=0.7'), 'de');
  assert.equal(preferredLanguage('de;q=0, en;q=0.1'), 'en');
  for (const none of [undefined, '', 'xx', '*', ';;q=,,']) assert.equal(preferredLanguage(none), undefined);
});

test('each mail says the same in German, with its links and names', () => {
  const to = { email: 'eva@haus.example', mail_language: 'de' };
  const invitation = invitationMail(to, 'Laden {a}', 'Ada', 'https://h.example/x', 1);
  assert.deepEqual(
    [invitation.subject, invitation.text.split('\n')[0]],
    ['Einladung zu Laden {a}', 'Ada hat Sie zum Konto „Laden {a}“ in Headwater eingeladen.'],
  );
  assert.match(invitation.text, /Er gilt 1 Tag:\nhttps:\/\/h\.example\/x\n/);
  assert.match(resetMail(to, 'https://h.example/y').text, /neues Passwort .*:\nhttps:\/\/h\.example\/y\n/);
  assert.match(confirmEmailMail(to, 'https://h.example/z').subject, /bestätigen/);
  assert.equal(securityMail(to, 'passkey_added').subject, 'Ihr Zugang hat einen neuen Passkey');
  assert.equal(securityMail({ ...to, mail_language: 'en' }, 'passkey_added').subject, 'Your account has a new passkey');
  assert.equal(securityMail({ ...to, mail_language: 'xx' }, 'password_reset').subject, 'Your password was reset');
});
