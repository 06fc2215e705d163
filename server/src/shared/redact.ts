const REDACTED = '[redacted]';

/** Secrets by their form. None has a repetition within a repetition or many possible starts, so a long text takes linear time. */
const SECRETS = new RegExp(
  [
    'hw_(?:sk|pk|pb)_[0-9A-Za-z]+',
    'hw_up_[0-9A-Za-z_-]+',
    'whs(?:ec|k)_[0-9A-Za-z+/=_-]+',
    // JSON Web Tokens, signed or encrypted: Base64url of `{"`.
    '(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}(?:\\.[0-9A-Za-z_-]*){1,4}',
  ].join('|'),
  'gi',
);
/** In a URL, the space is encoded. */
const SPACE = '(?:\\s|%20|\\+)';
const SCHEME = `(?:Bearer|Basic|Token)${SPACE}{1,3}`;
const CREDENTIALS = new RegExp(`\\b(${SCHEME})([0-9A-Za-z._~+/=%-]{8,})`, 'gi');
const HEADER = new RegExp(
  `\\b(Authorization["']?${SPACE}{0,3}(?:[:=]|%3A|%3D)${SPACE}{0,3}["']?(?:${SCHEME})?)[^\\s"'&,;<>\\\\]+`,
  'gi',
);

const CARD = /(?<![\w.])[2-6]\d(?:(?: |-|%20|\+)?\d){10,17}(?![\w.])/g;
/** How the numbers of Visa, Mastercard, American Express, Discover, Diners Club, JCB and UnionPay begin, with their lengths. */
const NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|62\d{14,17})$/;

/**
 * Replaces secrets wherever they stand in a text of a client that is stored or logged to explain something: keys of this service,
 * signing secrets, JSON Web Tokens, credentials of headers, and card numbers.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(SECRETS, REDACTED)
    .replace(HEADER, `$1${REDACTED}`)
    .replace(CREDENTIALS, (found, scheme, value) => (isWord(value) ? found : `${scheme}${REDACTED}`))
    .replace(CARD, (found) => (isCard(found) ? REDACTED : found));
}

/** As in "a bearer instrument": credentials have digits, padding, or capitals within. */
const isWord = (text: string): boolean => !/[0-9=]|[a-z][A-Z]/.test(text);

function isCard(text: string): boolean {
  const digits = text.replaceAll('%20', '').replace(/\D/g, '');
  return NETWORKS.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
