/** ISO 4217 as of 1 January 2026: current codes, and those withdrawn since 2020, because reports may be backdated. */
const CODES = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
    'CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL ' +
    'HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA ' +
    'MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD ' +
    'RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD ' +
    'USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX ' +
    'YER ZAR ZMW ZWG ' +
    'ANG BGN CUC HRK SLL ZWL'
  ).split(' '),
);

/** The ISO 4217 code in capitals, from any case; undefined for any other value. */
export function readCurrency(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || !/^\s*[A-Za-z]{3}\s*$/.test(sent)) return undefined;
  const code = sent.trim().toUpperCase();
  return CODES.has(code) ? code : undefined;
}
