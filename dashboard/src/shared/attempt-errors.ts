import { t } from '../languages/translate.ts';

/** Why a request to a webhook endpoint or an ad platform failed. */
const ERRORS: Record<string, string> = {
  status: t('The response status is not 2xx'),
  redirect: t('The response is a redirect, which is not followed'),
  connection_refused: t('Connection refused'),
  connection_reset: t('Connection reset'),
  connection_failed: t('Connection failed'),
  dns_failed: t('DNS lookup failed'),
  host_unreachable: t('Host unreachable'),
  timeout: t('Timed out'),
  response_malformed: t('The response is not valid HTTP'),
  tls_failed: t('TLS connection failed'),
  address_not_allowed: t('The host has no public IP address'),
};

/** The error of an attempt: a code, optionally followed by `: ` and details. */
export function attemptErrorLabel(error: string): string {
  const [code = '', detail] = error.split(/: (.*)/);
  const label = ERRORS[code];
  if (label === undefined) return error;
  return code === 'tls_failed' && detail ? `${label}: ${detail}` : label;
}
