import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { CLICK_ID_NAMES, CLICK_ID_SOURCES } from '../../shared/click-ids.ts';
import { readLanding } from './landing.ts';
import { sourceOf } from './source-medium.ts';

const derive = (query: string, referrer: string | null = null) => {
  const url = `https://shop.example/landing${query}`;
  const { source, medium } = sourceOf({ url, referrer, landing: readLanding(url) });
  return [source, medium];
};

test('source and medium come from UTM values, or else the platform of the click id, or else the referrer', () => {
  const cases: [query: string, referrer: string | null, source: string | null, medium: string | null][] = [
    ['', null, null, null],
    ['?utm_source=News&utm_medium=Mail', 'https://www.google.com/', 'News', 'Mail'],
    // A copied link of an ad.
    ['?utm_source=news&gclid=a', null, 'news', null],
    ['?utm_source=google&gclid=a', null, 'google', 'cpc'],
    ['?utm_source=Google-Ads&utm_campaign=may&gbraid=a', null, 'Google-Ads', 'cpc'],
    ['?utm_source=www.google.com&wbraid=a', null, 'www.google.com', 'cpc'],
    ['?utm_source=youtube&gclid=a', null, 'youtube', 'cpc'],
    ['?utm_source=google&utm_medium=organic&gclid=a', null, 'google', 'organic'],
    ['?utm_source=google', null, 'google', null],
    ['?utm_source=google&msclkid=a', null, 'google', null],
    ['?utm_source=microsoft&msclkid=a', null, 'microsoft', 'cpc'],
    ['?utm_source=duckduckgo&msclkid=a', null, 'duckduckgo', 'cpc'],
    ['?utm_source=tiktok_ads&ttclid=a', null, 'tiktok_ads', 'cpc'],
    ['?utm_source=linkedin&li_fat_id=a', null, 'linkedin', 'cpc'],
    ['?utm_source=x&twclid=a', null, 'x', 'cpc'],
    ['?utm_source=snapchat&ScCid=a', null, 'snapchat', 'cpc'],
    ['?utm_source=openai&oppref=a', null, 'openai', 'cpc'],
    // Facebook adds it to links that nobody paid for, too.
    ['?utm_source=facebook&fbclid=a', null, 'facebook', null],
    ['?utm_source=google&fbclid=a&gclid=b', null, 'google', 'cpc'],
    ['?utm_source=examplegoogle&gclid=a', null, 'examplegoogle', null],
    ['?utm_medium=display&gclid=a', null, 'google', 'display'],
    ['?utm_campaign=may', 'https://www.bing.com/', 'bing', 'organic'],
    ['?gclid=a', 'https://www.google.com/', 'google', 'cpc'],
    ['?WBRAID=a', null, 'google', 'cpc'],
    ['?msclkid=a', null, 'bing', 'cpc'],
    ['?fbclid=a', null, 'facebook', 'social'],
    ['?fbclid=a', 'https://l.facebook.com/', 'facebook', 'social'],
    ['?fbclid=a', 'https://l.instagram.com/', 'instagram', 'social'],
    ['?fbclid=a&gclid=b', 'https://l.facebook.com/', 'google', 'cpc'],
    ['?ScCid=a', null, 'snapchat', 'cpc'],
    ['', 'https://www.google.co.uk/', 'google', 'organic'],
    ['', 'https://google.com/search?q=x', 'google', 'organic'],
    ['', 'https://docs.google.com/document/1', 'docs.google.com', 'referral'],
    ['', 'https://mail.google.com/mail/u/0/', 'gmail', 'email'],
    ['', 'https://www.youtube.com/watch?v=1', 'youtube', 'referral'],
    ['', 'https://chatgpt.com/', 'chatgpt.com', 'ai-assistant'],
    ['', 'https://gemini.google.com/app', 'gemini.google.com', 'ai-assistant'],
    ['', 'https://www.perplexity.ai/', 'perplexity.ai', 'ai-assistant'],
    ['', 'android-app://com.openai.chatgpt/', 'chatgpt.com', 'ai-assistant'],
    ['', 'android-app://com.google.android.gm/', 'gmail', 'email'],
    ['', 'android-app://com.google.android.googlequicksearchbox/', 'google', 'organic'],
    ['', 'https://de.search.yahoo.com/', 'yahoo', 'organic'],
    ['', 'https://mail.yahoo.com/', 'yahoo mail', 'email'],
    ['', 'https://cn.bing.com/', 'bing', 'organic'],
    ['', 'https://m.facebook.com/', 'facebook', 'social'],
    ['', 'https://t.co/abc', 'twitter', 'social'],
    ['', 'https://notbing.com/', 'notbing.com', 'referral'],
    ['', 'https://google.com.evil.example/', 'google.com.evil.example', 'referral'],
    ['', 'https://www.Blog.example/post?utm_source=x', 'blog.example', 'referral'],
    ['', 'https://shop.example/before', null, null],
    ['', 'https://www.shop.example/before', null, null],
    ['', 'https://checkout.shop.example/', null, null],
    ['', 'https://othershop.example/', 'othershop.example', 'referral'],
    ['', 'http://192.0.2.1:8080/x', '192.0.2.1', 'referral'],
    ['', 'about:blank', null, null],
    ['', 'not an address', null, null],
  ];
  for (const [query, referrer, source, medium] of cases) {
    assert.deepEqual(derive(query, referrer), [source, medium], `${query} ${referrer}`);
  }
  for (const { name, source, medium } of CLICK_ID_SOURCES) {
    const own = medium === 'social' ? null : medium;
    assert.deepEqual(derive(`?utm_source=${source}&${name}=a`), [source, own], name);
  }
  assert.deepEqual(CLICK_ID_SOURCES.map(({ name }) => name).sort(), [...CLICK_ID_NAMES].sort());
});

test('a session stores the derived values, and campaigns are still compared by the values in the URL', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const visit = async (url: string, referrer?: string) =>
    (await service.call('POST /v1/visits', { body: { api_key: account.apiKey, visitorId: 'v', url, referrer } })).body
      .sessionId;
  const first = await visit('https://shop.example/?utm_campaign=may', 'https://www.google.com/');
  // Was derived for the first: were that compared, these would begin sessions.
  assert.equal(await visit('https://shop.example/?utm_campaign=may'), first);
  assert.equal(await visit('https://shop.example/next', 'https://shop.example/?utm_campaign=may'), first);
  assert.equal(await visit('https://shop.example/', 'https://www.bing.com/'), first);
  const second = await visit('https://shop.example/?utm_campaign=may&utm_source=google&utm_medium=organic');
  assert.notEqual(second, first);
  assert.notEqual(await visit('https://shop.example/?utm_campaign=june'), second);
  const { rows } = await service.db.query(
    'select source, medium, campaign from sessions where account_id = $1 order by number',
    [account.uuid],
  );
  assert.deepEqual(rows, [
    { source: 'google', medium: 'organic', campaign: 'may' },
    { source: 'google', medium: 'organic', campaign: 'may' },
    { source: null, medium: null, campaign: 'june' },
  ]);
});
