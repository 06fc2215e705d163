import type { ClickIdName } from './click-ids.ts';

/**
 * Whose click ids are whose, and what they say of the visit. An advertiser's platform adds its own to ads alone, all but
 * Facebook, which adds fbclid to every link. In the order in which one counts where there are several.
 *
 * Origin: the platforms' own documentation of their parameters; `aleid` and `alart` are AppLovin's.
 */
export const CLICK_SOURCES: [ClickIdName, source: string, medium: string][] = [
  ['gclid', 'google', 'cpc'],
  ['gbraid', 'google', 'cpc'],
  ['wbraid', 'google', 'cpc'],
  ['msclkid', 'bing', 'cpc'],
  ['ttclid', 'tiktok', 'cpc'],
  ['li_fat_id', 'linkedin', 'cpc'],
  ['epik', 'pinterest', 'cpc'],
  ['twclid', 'twitter', 'cpc'],
  ['sclid', 'snapchat', 'cpc'],
  ['tblci', 'taboola', 'cpc'],
  ['ob_click_id', 'outbrain', 'cpc'],
  ['rdt_cid', 'reddit', 'cpc'],
  ['aleid', 'applovin', 'cpc'],
  ['alart', 'applovin', 'cpc'],
  ['fbclid', 'facebook', 'social'],
];

/**
 * Hosts that send visitors, by medium and source. A host stands for those below it too; `google.*` for google.com,
 * google.co.uk and so on, with `www.` or `m.` but nothing else before; an Android app is its package.
 *
 * Origin: chosen by hand from the search engines, social networks and mail providers of Google Analytics' default channel
 * groups (support.google.com/analytics/answer/9756891): those with a noticeable share, under the names it gives them.
 */
export const KNOWN_HOSTS: Record<'organic' | 'social' | 'email', Record<string, string[]>> = {
  organic: {
    google: ['google.*', 'com.google.android.googlequicksearchbox'],
    bing: ['bing.com'],
    yahoo: ['search.yahoo.com', 'search.yahoo.co.jp', 'yahoo.*'],
    duckduckgo: ['duckduckgo.com', 'com.duckduckgo.mobile.android'],
    ecosia: ['ecosia.org'],
    yandex: ['yandex.*', 'ya.ru'],
    baidu: ['baidu.com'],
    brave: ['search.brave.com'],
    startpage: ['startpage.com'],
    qwant: ['qwant.com'],
    kagi: ['kagi.com'],
    naver: ['search.naver.com', 'naver.com'],
    daum: ['search.daum.net'],
    seznam: ['search.seznam.cz', 'seznam.cz'],
    sogou: ['sogou.com'],
    aol: ['search.aol.com'],
    ask: ['ask.com'],
  },
  social: {
    facebook: ['facebook.com', 'fb.com', 'fb.me', 'messenger.com', 'com.facebook.katana', 'com.facebook.orca'],
    instagram: ['instagram.com', 'com.instagram.android'],
    threads: ['threads.net', 'threads.com'],
    twitter: ['twitter.com', 'x.com', 't.co', 'com.twitter.android'],
    linkedin: ['linkedin.com', 'lnkd.in', 'com.linkedin.android'],
    youtube: ['youtube.com', 'youtu.be', 'com.google.android.youtube'],
    tiktok: ['tiktok.com', 'com.zhiliaoapp.musically'],
    pinterest: ['pinterest.*', 'pin.it', 'com.pinterest'],
    reddit: ['reddit.com', 'redd.it', 'com.reddit.frontpage'],
    snapchat: ['snapchat.com'],
    whatsapp: ['whatsapp.com', 'wa.me', 'com.whatsapp'],
    telegram: ['t.me', 'telegram.org', 'org.telegram.messenger'],
    discord: ['discord.com'],
    quora: ['quora.com'],
    tumblr: ['tumblr.com'],
    mastodon: ['mastodon.social'],
    bluesky: ['bsky.app'],
    vk: ['vk.com', 'vk.ru'],
    xing: ['xing.com'],
    weibo: ['weibo.com', 'weibo.cn'],
  },
  email: {
    gmail: ['mail.google.com', 'com.google.android.gm'],
    outlook: ['outlook.live.com', 'outlook.office.com', 'outlook.office365.com', 'com.microsoft.office.outlook'],
    'yahoo mail': ['mail.yahoo.com', 'mail.yahoo.co.jp'],
    'aol mail': ['mail.aol.com'],
    icloud: ['icloud.com'],
    proton: ['mail.proton.me', 'mail.protonmail.com'],
    gmx: ['navigator.gmx.net', 'deref-gmx.net', 'deref-gmx.com'],
    'web.de': ['navigator.web.de', 'deref-web.de'],
    't-online': ['email.t-online.de'],
    yandex: ['mail.yandex.ru', 'mail.yandex.com'],
    'mail.ru': ['e.mail.ru'],
  },
};
