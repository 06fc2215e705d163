import { BlockList, isIP } from 'node:net';

/** An IP address or CIDR range in lower case and its shortest form; undefined if the text is neither. */
export function normalizeAddress(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const plain = version === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
  if (bits === undefined) return plain;
  const isRange = /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32);
  return isRange ? `${plain}/${bits}` : undefined;
}

/** Whether an IP address is in one of the normalized addresses and ranges. */
export function addressFilter(excluded: readonly string[]): (address: string) => boolean {
  if (excluded.length === 0) return () => false;
  const list = new BlockList();
  for (const each of excluded) {
    const [address = '', bits] = each.split('/');
    const family = familyOf(address);
    if (family === undefined) continue;
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}
