export interface Platform {
  name: string;
  /** Name of the click's identifier in the report. */
  identifier: string;
  /** What the platform, or a tracker that speaks its words, puts in the click id's place. */
  clickMacro: string;
}

/** The platforms whose click ids the service knows. */
export const PLATFORMS: readonly Platform[] = [
  { name: 'Google Ads', identifier: 'gclid', clickMacro: '{gclid}' },
  { name: 'Google Ads, app to web (iOS)', identifier: 'gbraid', clickMacro: '{gbraid}' },
  { name: 'Google Ads, web to app (iOS)', identifier: 'wbraid', clickMacro: '{wbraid}' },
  { name: 'Meta', identifier: 'fbclid', clickMacro: '{fbclid}' },
  { name: 'Microsoft Ads', identifier: 'msclkid', clickMacro: '{msclkid}' },
  { name: 'TikTok', identifier: 'ttclid', clickMacro: '__CLICKID__' },
  { name: 'LinkedIn', identifier: 'li_fat_id', clickMacro: '{li_fat_id}' },
  { name: 'Pinterest', identifier: 'epik', clickMacro: '{epik}' },
  { name: 'X', identifier: 'twclid', clickMacro: '{twclid}' },
  { name: 'Snapchat', identifier: 'sclid', clickMacro: '{sclid}' },
  { name: 'Taboola', identifier: 'tblci', clickMacro: '{click_id}' },
  { name: 'Outbrain', identifier: 'ob_click_id', clickMacro: '{{ob_click_id}}' },
  { name: 'Reddit', identifier: 'rdt_cid', clickMacro: '{rdt_cid}' },
  { name: 'AppLovin', identifier: 'aleid', clickMacro: '{aleid}' },
  { name: 'AppLovin (alart)', identifier: 'alart', clickMacro: '{alart}' },
  { name: 'Your own shop, by session', identifier: 'sessionHash', clickMacro: '{session}' },
];

export interface Postback {
  baseUrl: string;
  key: string;
  platform: Platform;
  /** Macros of the caller, empty where it sends none. */
  clickMacro: string;
  valueMacro: string;
  currency: string;
  eventIdMacro: string;
  event: string;
}

/** The address that the platform is to call; macros stand in it as they are, for the platform to replace. */
export function postbackUrl({ baseUrl, key, platform, ...postback }: Postback): string {
  const parameters: [string, string][] = [
    ['key', key],
    [platform.identifier, postback.clickMacro],
    ['value', postback.valueMacro],
    ['currency', postback.currency],
    ['eventId', postback.eventIdMacro],
    ['event', postback.event],
  ];
  const query = parameters
    .filter(([, value]) => value.trim() !== '')
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(value.trim()).replace(/%7B|%7D|%24|%5B|%5D/g, decodeURIComponent)}`,
    );
  return `${baseUrl}/v1/analytics/report-conversion?${query.join('&')}`;
}
