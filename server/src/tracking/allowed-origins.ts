const HOST = /^[a-z0-9.-]+$/;

/**
 * An allowed origin as it is compared: scheme, host and port as a browser sends them, `https://*.example.com` for every
 * host below example.com. Undefined where it is none.
 */
export function normalizeOrigin(text: string): string | undefined {
  const [, scheme = '', wildcard = '', rest = ''] = /^(https?):\/\/(\*\.)?([^*]*)$/i.exec(text.trim()) ?? [];
  const url = URL.parse(`${scheme}://${rest}`);
  if (!url || url.origin === 'null' || url.href !== `${url.origin}/` || /[?#\\]/.test(rest)) return undefined;
  // Nothing lies below an address.
  if (wildcard !== '' && (!HOST.test(url.hostname) || /^[\d.]+$/.test(url.hostname))) return undefined;
  return `${url.protocol}//${wildcard}${url.host}`;
}

/** Whether an `Origin` header fits one of the origins, which are normalised; all fit none. */
export function originFilter(allowed: readonly string[]): (origin: string) => boolean {
  if (allowed.length === 0) return () => true;
  const exact = new Set(allowed);
  const below = allowed.flatMap((origin) => {
    const [scheme, host] = origin.split('*');
    return scheme !== undefined && host !== undefined ? [{ scheme, host }] : [];
  });
  return (origin) =>
    exact.has(origin) ||
    below.some(
      ({ scheme, host }) =>
        origin.startsWith(scheme) && origin.endsWith(host) && HOST.test(origin.slice(scheme.length, -host.length)),
    );
}
