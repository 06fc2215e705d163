import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/harness.ts';

type Case = [source: string | null, medium: string | null, campaign: string | null, channel: string];

/** Cases of the published rules of Google Analytics' default channel groups: support.google.com/analytics/answer/9756891. */
const CASES: Case[] = [
  [null, null, null, 'Direct'],
  ['google', 'cpc', 'Sale cross-network', 'Cross-network'],
  ['google', 'organic', 'CROSS-NETWORK', 'Cross-network'],
  ['amazon', 'cpc', null, 'Paid Shopping'],
  ['amazon.co.uk', 'paid', null, 'Paid Shopping'],
  ['google', 'cpc', 'spring-shopping', 'Paid Shopping'],
  ['google', 'cpc', 'shop', 'Paid Shopping'],
  ['google', 'cpc', 'my-eshop', 'Paid Shopping'],
  // The letter before it makes it another word.
  ['google', 'cpc', 'workshop', 'Paid Search'],
  ['google', 'cpc', null, 'Paid Search'],
  ['Google', 'CPC', null, 'Paid Search'],
  ['bing', 'ppc', null, 'Paid Search'],
  ['duckduckgo', 'retargeting', null, 'Paid Search'],
  ['yahoo', 'paidsearch', null, 'Paid Search'],
  ['fr.search.yahoo.com', 'cpm', null, 'Paid Search'],
  ['facebook', 'cpc', null, 'Paid Social'],
  ['m.facebook.com', 'paid_social', null, 'Paid Social'],
  ['instagram', 'cpm', null, 'Paid Social'],
  ['linkedin', 'paid', null, 'Paid Social'],
  ['youtube', 'cpv', null, 'Paid Video'],
  ['youtube', 'cpc', null, 'Paid Video'],
  ['youtube.com', 'paid', null, 'Paid Video'],
  ['vimeo', 'ppc', null, 'Paid Video'],
  ['partner', 'display', null, 'Display'],
  ['partner', 'banner', null, 'Display'],
  ['partner', 'expandable', null, 'Display'],
  ['partner', 'interstitial', null, 'Display'],
  ['partner', 'CPM', null, 'Display'],
  ['partner', 'cpc', null, 'Paid Other'],
  [null, 'paid', null, 'Paid Other'],
  ['etsy', 'referral', null, 'Organic Shopping'],
  ['newsletter', 'web', 'shopping', 'Organic Shopping'],
  ['facebook', null, null, 'Organic Social'],
  ['facebook', 'referral', null, 'Organic Social'],
  ['t.co', 'referral', null, 'Organic Social'],
  ['blog', 'social-media', null, 'Organic Social'],
  ['partner', 'sm', null, 'Organic Social'],
  ['partner', 'social network', null, 'Organic Social'],
  ['youtube', 'referral', null, 'Organic Video'],
  ['partner', 'video', null, 'Organic Video'],
  ['google', 'organic', null, 'Organic Search'],
  ['google', 'referral', null, 'Organic Search'],
  ['ecosia.org', 'referral', null, 'Organic Search'],
  ['partner', 'organic', null, 'Organic Search'],
  ['partner', 'email', null, 'Email'],
  ['e-mail', 'newsletter', null, 'Email'],
  ['partner', 'e_mail', null, 'Email'],
  ['partner', 'e mail', null, 'Email'],
  ['awin', 'affiliate', null, 'Affiliates'],
  ['partner', 'referral', null, 'Referral'],
  ['partner', 'app', null, 'Referral'],
  ['partner', 'link', null, 'Referral'],
  ['partner', 'audio', null, 'Audio'],
  ['sms', 'text', null, 'SMS'],
  ['partner', 'sms', null, 'SMS'],
  ['partner', 'webpush', null, 'Mobile Push Notifications'],
  ['partner', 'mobile-app', null, 'Mobile Push Notifications'],
  ['partner', 'notification', null, 'Mobile Push Notifications'],
  ['firebase', 'x', null, 'Mobile Push Notifications'],
  ['newsletter', 'newsletter', null, 'Unassigned'],
  ['partner', null, null, 'Unassigned'],
  ['facebookish', 'post', null, 'Unassigned'],
];

test('channels follow the published rules of the default channel groups, in their order and in any case', async () => {
  const db = await testDatabase();
  const { rows } = await db.query<{ channel: string }>(
    'select channel_of(s, m, c) as channel from unnest($1::text[], $2::text[], $3::text[]) with ordinality as t (s, m, c, n) order by n',
    [0, 1, 2].map((i) => CASES.map((each) => each[i] ?? null)),
  );
  assert.deepEqual(
    rows.map(({ channel }, i) => [...(CASES[i] ?? []).slice(0, 3), channel]),
    CASES,
  );
});
