import { BlockList, isIP } from 'node:net';

/** Whether the service may connect to an IP address. */
export type MayConnect = (address: string) => boolean;

/** IPv4 addresses that are not public: IANA's special-purpose registry, multicast and reserved addresses. */
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

/** Public addresses at which clouds serve metadata and internal services to their virtual machines. */
const CLOUD_INTERNAL = [
  // Azure: DHCP, DNS, and the guest agent's WireServer.
  '168.63.129.16/32',
  // Equinix Metal: metadata.
  '192.80.8.124/32',
  // IBM Cloud: infrastructure services and service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
];

/** Of IPv6, only 2000::/3 is allocated. These parts of it are not public; 2002::/16 and 2001::/32 embed an IPv4 address. */
const GLOBAL_6 = ['2000::/3'];
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Prefixes that embed an IPv4 address in the last four bytes: IPv4-mapped and NAT64. */
const EMBEDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const notPublic4 = blockList([...NOT_PUBLIC_4, ...CLOUD_INTERNAL]);
const global6 = blockList(GLOBAL_6);
const notPublic6 = blockList(NOT_PUBLIC_6);
const embedsIpv4 = blockList(EMBEDS_IPV4);

/** Allows public addresses, and those that the operator allows (`WEBHOOK_ALLOW_CIDRS`). */
export function connectPolicy(allowed: readonly string[]): MayConnect {
  const list = blockList(allowed);
  return (address) => contains(list, address) || isPublic(address);
}

/** Whether this is an address of the public internet, in any notation. */
export function isPublic(address: string): boolean {
  // An address with a zone (fe80::1%eth0) is link-local.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !notPublic4.check(address, 'ipv4');
  if (family !== 6) return false;
  const embedded = embeddedIpv4(address);
  if (embedded !== undefined) return isPublic(embedded);
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (list.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true;
  const embedded = family === 6 && !address.includes('%') ? embeddedIpv4(address) : undefined;
  return embedded !== undefined && list.check(embedded, 'ipv4');
}

function embeddedIpv4(address: string): string | undefined {
  if (!embedsIpv4.check(address, 'ipv6')) return undefined;
  // The URL parser normalizes it to hexadecimal groups; the last two are the IPv4 address, empty if zero.
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
