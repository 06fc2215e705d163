type Json = Record<string, unknown>;

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** The headers of responses, as components of the OpenAPI document. */
export const RESPONSE_HEADERS = {
  RequestId: header('Of every response; also in the log', 'req_01m8h9rgcae4290he2eqew93e4'),
  RetryAfter: header('After how many seconds a repetition may succeed', '2'),
  RateLimit: header(
    'Of every response with a limit: what is left (`r`), and in how many seconds all is (`t`)',
    '"read";r=0;t=1',
  ),
  RateLimitPolicy: header(
    'The limit: how many requests (`q`) at once, or in so many seconds (`w`)',
    '"read";q=200;w=2',
  ),
  Allow: header('The methods that the path supports', 'GET, HEAD, POST'),
  WwwAuthenticate: header('How to authenticate', 'Bearer realm="headwater"'),
  ETag: header('The version of the response, for `If-None-Match`; of an entry also for `If-Match`', '"3"'),
};

const reference = (name: keyof typeof RESPONSE_HEADERS) => ({ $ref: `#/components/headers/${name}` });

const BY_STATUS: Record<string, Json> = {
  401: { 'WWW-Authenticate': reference('WwwAuthenticate') },
  405: { Allow: reference('Allow') },
  429: {
    'Retry-After': reference('RetryAfter'),
    RateLimit: reference('RateLimit'),
    'RateLimit-Policy': reference('RateLimitPolicy'),
  },
  500: { 'Retry-After': reference('RetryAfter') },
};

export const ETAG = { ETag: reference('ETag') };

/** Adds the headers of an error. */
export const withHeaders = (status: string, response: Json): Json => ({
  description: response.description,
  headers: { 'x-request-id': reference('RequestId'), ...BY_STATUS[status] },
  ...response,
});

export const NOT_MODIFIED = { description: 'Not modified: `If-None-Match` names the current `ETag`', headers: ETAG };
