import { BlockList, isIP } from 'node:net';

/** Whether a connection to this address, as the system writes it, may be made. */
export type MayConnect = (address: string) => boolean;

/** IANA's special-purpose IPv4 addresses, multicast and what is reserved: everything that is not public. */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** Of IPv6 only 2000::/3 is handed out; these parts of it are no public hosts (2002::/16 and 2001::/32 hold an IPv4 address). */
const GLOBAL_6 = ['2000::/3'];
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Addresses that stand for the IPv4 address in their last four bytes: mapped ones, and those of NAT64. */
const HOLDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const notPublic4 = blockList(NOT_PUBLIC_4);
const global6 = blockList(GLOBAL_6);
const notPublic6 = blockList(NOT_PUBLIC_6);
const holdsIpv4 = blockList(HOLDS_IPV4);

/** Judges addresses: public ones may be connected to, others where the operator allowed them. */
export function addressPolicy(allowed: readonly string[]): MayConnect {
  const list = blockList(allowed);
  return (address) => contains(list, address) || isPublic(address);
}

/** Whether it is an address of the public internet, whichever way it is written. */
export function isPublic(address: string): boolean {
  // A zone (fe80::1%eth0) belongs to a link.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !notPublic4.check(address, 'ipv4');
  if (family !== 6) return false;
  const inner = ipv4Inside(address);
  if (inner !== undefined) return isPublic(inner);
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (list.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true;
  const inner = family === 6 && !address.includes('%') ? ipv4Inside(address) : undefined;
  return inner !== undefined && list.check(inner, 'ipv4');
}

function ipv4Inside(address: string): string | undefined {
  if (!holdsIpv4.check(address, 'ipv6')) return undefined;
  // As the URL parser writes it: in hexadecimal groups, the last two being the IPv4 address, or fewer where they are zero.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}
