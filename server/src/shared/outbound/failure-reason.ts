import { AddressNotAllowed } from './guarded-lookup.ts';

export const ADDRESS_NOT_ALLOWED = 'address_not_allowed: the host does not have a public IP address';

/** The response has more headers or informational responses than an endpoint needs. */
export class ResponseTooLarge extends Error {}

/** Why a response is not a success: null for 2xx. */
export function statusFailure(status: number | null): string | null {
  if (status === null) return 'connection_failed';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect: redirects are not followed';
  return 'status: the response status is not 2xx';
}

const TOO_LARGE = 'response_too_large: the response has too many or too large headers';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_failed: the host does not exist',
  EAI_AGAIN: 'dns_failed: the host name could not be resolved',
  ETIMEOUT: 'dns_failed: the name servers did not respond',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  ETIMEDOUT: 'timeout',
  HPE_HEADER_OVERFLOW: TOO_LARGE,
};

/** The reason as shown to the account. It never contains a resolved IP address. */
export function failureReason(error: NodeJS.ErrnoException): string {
  if (error instanceof AddressNotAllowed) return ADDRESS_NOT_ALLOWED;
  if (error instanceof ResponseTooLarge) return TOO_LARGE;
  // Node tried every address of the host.
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
  const { code = '', message = '' } = first ?? error;
  const known = REASONS[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'response_malformed: the response is not valid HTTP';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls_failed: the TLS handshake failed';
  if (/^(ERR_TLS_|CERT_|SELF_|DEPTH_|UNABLE_|HOSTNAME_)/.test(code)) return `tls_failed: ${message}`;
  return 'connection_failed';
}
