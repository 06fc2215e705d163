const HOST = /^[a-z0-9.-]+$/;

/**
 * An allowed origin in the form that browsers send: scheme, host and port; `https://*.example.com` for every subdomain of
 * example.com. Undefined if the text is no origin.
 */
export function normalizeOrigin(text: string): string | undefined {
  const [, scheme = '', wildcard = '', rest = ''] = /^(https?):\/\/(\*\.)?([^*]*)$/i.exec(text.trim()) ?? [];
  const url = URL.parse(`${scheme}://${rest}`);
  if (!url || url.origin === 'null' || url.href !== `${url.origin}/` || /[?#\\]/.test(rest)) return undefined;
  // An IP address has no subdomains.
  if (wildcard !== '' && (!HOST.test(url.hostname) || /^[\d.]+$/.test(url.hostname))) return undefined;
  return `${url.protocol}//${wildcard}${url.host}`;
}

/** Whether an `Origin` header matches one of the normalized origins. An empty list allows every origin. */
export function originFilter(allowed: readonly string[]): (origin: string) => boolean {
  if (allowed.length === 0) return () => true;
  const exact = new Set(allowed);
  const wildcards = allowed.flatMap((origin) => {
    const [scheme, host] = origin.split('*');
    return scheme !== undefined && host !== undefined ? [{ scheme, host }] : [];
  });
  return (origin) =>
    exact.has(origin) ||
    wildcards.some(
      ({ scheme, host }) =>
        origin.startsWith(scheme) && origin.endsWith(host) && HOST.test(origin.slice(scheme.length, -host.length)),
    );
}
