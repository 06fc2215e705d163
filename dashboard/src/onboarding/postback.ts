export interface Postback {
  baseUrl: string;
  key: string;
  /** The name of the click ID or session identifier. */
  identifier: string;
  /** Macros; empty ones are left out of the URL. */
  clickMacro: string;
  valueMacro: string;
  currency: string;
  eventIdMacro: string;
  event: string;
}

/** The URL that the platform calls. Macros are not percent-encoded, so that the platform can replace them. */
export function postbackUrl({ baseUrl, key, identifier, ...postback }: Postback): string {
  const parameters: [string, string][] = [
    ['key', key],
    [identifier, postback.clickMacro],
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
