import { browserTimeZone } from './time-zone.ts';

/** Countries by currency, as far as browsers are commonly set to them. */
const COUNTRIES: Record<string, string> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
  USD: 'US EC SV PR',
  GBP: 'GB',
  CHF: 'CH LI',
  ...Object.fromEntries(
    (
      'AE:AED AR:ARS AU:AUD BD:BDT BR:BRL CA:CAD CL:CLP CN:CNY CO:COP CZ:CZK DK:DKK EG:EGP HK:HKD HU:HUF ID:IDR IL:ILS ' +
      'IN:INR IS:ISK JP:JPY KE:KES KR:KRW MA:MAD MX:MXN MY:MYR NG:NGN NO:NOK NZ:NZD PE:PEN PH:PHP PK:PKR PL:PLN QA:QAR ' +
      'RO:RON RS:RSD SA:SAR SE:SEK SG:SGD TH:THB TR:TRY TW:TWD UA:UAH VN:VND ZA:ZAR'
    )
      .split(' ')
      .map((pair) => [pair.slice(3), pair.slice(0, 2)]),
  ),
};

/** Without a locale of its system, a browser has one that is no language tag, such as `en-US@posix`. */
function regionOf(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).maximize().region;
  } catch {
    return undefined;
  }
}

/** The time zone and currency of a new account: those of the browser. */
export function localeDefaults(locale = navigator.language): { timeZone: string; currency?: string } {
  const region = regionOf(locale);
  const [currency] =
    Object.entries(COUNTRIES).find(([, countries]) => region && countries.split(' ').includes(region)) ?? [];
  return { timeZone: browserTimeZone(), ...(currency !== undefined && { currency }) };
}
