import type { Sender } from '../../shared/outbound/sender.ts';
import { VISITOR_COOKIE } from '../ingest/visitor-cookie.ts';
import type { FirstPartyCheck } from './contract.ts';

interface Forgotten {
  hadCookie?: boolean;
  site?: string;
}

/**
 * Checks from outside whether the first-party cookie passes through the proxy in front of the service: does what a browser does
 * that withdraws consent, with a cookie of nobody.
 * @param isOn whether the account wants the cookie
 */
export async function checkFirstParty(
  sender: Sender,
  { scriptUrl, apiKey }: { scriptUrl: string; apiKey: string },
  isOn: boolean,
): Promise<FirstPartyCheck> {
  const url = new URL('v1/batch', scriptUrl);
  const problems: FirstPartyCheck['problems'] = [];
  const report = (code: FirstPartyCheck['problems'][number]['code'], detail: string) => problems.push({ code, detail });
  if (!isOn) report('turned_off', 'The first-party ID is turned off in the tracking settings.');
  if (url.protocol !== 'https:') report('not_https', 'Browsers keep the cookie over HTTPS only.');
  const headers = {
    ...{ 'content-type': 'text/plain', origin: url.origin, 'sec-fetch-site': 'same-origin' },
    ...{ cookie: `${VISITOR_COOKIE}=check`, 'user-agent': 'Headwater' },
  };
  const body = JSON.stringify({ api_key: apiKey, items: [{ forget: true }] });
  const { status, error, response, setCookie = [] } = await sender.send(url, headers, body);
  const [result] = resultsOf(response);
  if (status === null) report('unreachable', `${url.href} cannot be reached: ${error}.`);
  else if (status === 401) report('key_refused', `The service refused the key at ${url.href}: ${detailOf(response)}`);
  else if (status !== 200 || result?.hadCookie === undefined) {
    report('not_forwarded', `${url.href} is not forwarded to this service: it responds with status ${status}.`);
  } else {
    if (!result.hadCookie) report('cookie_removed', `The proxy removes the cookie ${VISITOR_COOKIE} from requests.`);
    if (!setCookie.some((each) => each.startsWith(`${VISITOR_COOKIE}=`))) {
      report('set_cookie_removed', 'The proxy removes Set-Cookie from responses, or caches them.');
    }
    if (result.site !== 'same-origin') report('header_removed', 'The proxy removes the header Sec-Fetch-Site.');
  }
  return { url: url.href, works: problems.length === 0, problems };
}

function parse(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

function resultsOf(text: string | null): Forgotten[] {
  const { results } = parse(text);
  return Array.isArray(results) ? results.map(Object) : [];
}

const detailOf = (text: string | null) => String(parse(text).detail ?? 'no reason given').slice(0, 300);
