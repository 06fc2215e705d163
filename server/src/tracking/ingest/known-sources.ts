/**
 * Referring hosts by medium and source. A host includes its subdomains; `google.*` means google.com, google.co.uk and so on,
 * with an optional `www.` or `m.`; an Android app is identified by its package.
 *
 * Source: the search engines, social networks and mail providers with a noticeable share among Google Analytics' default
 * channel groups (support.google.com/analytics/answer/9756891), under the names it uses.
 */
export const KNOWN_HOSTS: Record<
  'organic' | 'social' | 'referral' | 'ai-assistant' | 'email',
  Record<string, string[]>
> = {
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
  // Google Analytics counts it among videos, not among social networks.
  referral: { youtube: ['youtube.com', 'youtu.be', 'com.google.android.youtube'] },
  // Named as Google Analytics names them, and as ChatGPT names itself in `utm_source`.
  'ai-assistant': {
    'chatgpt.com': ['chatgpt.com', 'chat.openai.com', 'com.openai.chatgpt'],
    'gemini.google.com': ['gemini.google.com', 'com.google.android.apps.bard'],
    'claude.ai': ['claude.ai', 'com.anthropic.claude'],
    'perplexity.ai': ['perplexity.ai', 'ai.perplexity.app.android'],
    'copilot.microsoft.com': [
      'copilot.microsoft.com',
      'copilot.com',
      'copilot.cloud.microsoft',
      'com.microsoft.copilot',
    ],
    'deepseek.com': ['chat.deepseek.com', 'deepseek.com'],
    'grok.com': ['grok.com'],
    'mistral.ai': ['chat.mistral.ai'],
    'meta.ai': ['meta.ai'],
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
