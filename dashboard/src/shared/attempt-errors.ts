/** Why a request to a webhook endpoint or an ad platform failed. */
const ERRORS: Record<string, string> = {
  status: 'The response status is not 2xx',
  redirect: 'The response is a redirect, which is not followed',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  connection_failed: 'Connection failed',
  dns_failed: 'DNS lookup failed',
  host_unreachable: 'Host unreachable',
  timeout: 'Timed out',
  response_malformed: 'The response is not valid HTTP',
  tls_failed: 'TLS connection failed',
  address_not_allowed: 'The host has no public IP address',
};

/** The error of an attempt: a code, optionally followed by `: ` and details. */
export function attemptErrorLabel(error: string): string {
  const [code = '', detail] = error.split(/: (.*)/);
  const label = ERRORS[code];
  if (label === undefined) return error;
  return code === 'tls_failed' && detail ? `${label}: ${detail}` : label;
}
