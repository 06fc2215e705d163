/** What to do about an error, where its own text does not say it. */
const FIXES: Record<string, string> = {
  identifier_missing:
    'Send exactly one identifier: the click ID from the landing URL, or the session hash that the script returned. Store it with the order.',
  identifier_conflict: 'Send only one identifier per conversion. Prefer the session hash, else the click ID.',
  identifier_invalid: 'Send the identifier unchanged, as text.',
  value_invalid: 'Send `value` as a number, such as 129.9, or leave it out. An empty text is not zero.',
  currency_invalid: 'Send a three-letter code such as EUR, or leave `currency` out.',
  json_malformed: 'Serialize the body with a JSON library, and send it as application/json.',
  content_type_unsupported: 'Set the header content-type: application/json.',
  unknown_property: 'Check the name for a typing error; the API reference lists all members.',
  rate_limited: 'Send batches, and retry after the time in Retry-After.',
  batch_too_large: 'Split the batch; GET /v1/limits returns the maximum.',
  not_found: 'Check the ID, and that the key belongs to the account of the resource.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  origin_not_allowed: 'Add the domain under Settings › Tracking › Allowed domains.',
  required: 'Add the missing member.',
  version_conflict: 'Read the entry again, apply your change to it, and send its version.',
};

export const fixOf = (code: string): string | null => FIXES[code] ?? null;
