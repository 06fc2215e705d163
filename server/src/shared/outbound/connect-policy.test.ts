/** Which URLs and IP addresses webhooks may use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkUrl } from './check-url.ts';
import { connectPolicy, isPublic } from './connect-policy.ts';
import { Sender } from './sender.ts';

const local = connectPolicy(['127.0.0.0/8', '::1']);

/** Notations of addresses of this machine and of private networks. */
const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0',
  '0.0.0.0',
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.0.8',
  '192.88.99.1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[3fff::1]',
  '[5f00::1]',
];

test('no notation of a private address is accepted at creation, nor connected to', async () => {
  const publicOnly = connectPolicy([]);
  const sender = new Sender({ mayConnect: publicOnly });
  for (const host of PRIVATE) {
    const url = `http://${host}:9/`;
    assert.deepEqual(
      checkUrl(url, publicOnly).map(({ code }) => code),
      ['url_not_public'],
      url,
    );
    assert.match((await sender.send(new URL(url), {}, '{}')).error ?? '', /^address_not_allowed/, url);
  }
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'db.internal']) {
    assert.deepEqual(
      checkUrl(`https://${host}/`, publicOnly).map(({ code }) => code),
      ['url_not_public'],
      host,
    );
  }
});

/** Addresses at which clouds serve metadata to their virtual machines. */
const METADATA = {
  aws: ['169.254.169.254', 'fd00:ec2::254', 'fd00:ec2::23'],
  azure: ['168.63.129.16', '169.254.169.254', 'fe80::1234:5678:9abc'],
  google: ['169.254.169.254', 'fd20:ce::254'],
  alibaba: ['100.100.100.200'],
  oracle: ['192.0.0.192', '169.254.169.254'],
  tencent: ['169.254.0.23'],
  scaleway: ['169.254.42.42', 'fd00:42::42'],
  equinix: ['192.80.8.124'],
  ibm: ['161.26.0.7', '166.9.48.12'],
  openstack: ['169.254.169.254', 'fe80::a9fe:a9fe'],
};

/** An IPv4 address in each of the IPv6 notations that reach it. */
function ipv6FormsOf(address: string): string[] {
  const hex = Buffer.from(address.split('.').map(Number))
    .toString('hex')
    .replace(/^(.{4})/, '$1:');
  return [
    `::ffff:${address}`,
    `::ffff:${hex}`,
    `0:0:0:0:0:FFFF:${hex}`,
    `::${address}`,
    `::ffff:0:${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${address}`,
    `2002:${hex}::`,
    `2002:${hex}::1`,
    `2001:0:${hex}:0:0:0:0`,
  ];
}

test('the metadata addresses of clouds are not accepted, in any IPv4 or IPv6 notation', () => {
  const publicOnly = connectPolicy([]);
  for (const [cloud, addresses] of Object.entries(METADATA)) {
    for (const address of addresses) {
      const forms = address.includes(':') ? [address] : [address, ...ipv6FormsOf(address)];
      for (const form of forms) assert.ok(!publicOnly(form), `${cloud}: ${form}`);
      for (const form of forms) {
        const url = form.includes(':') ? `http://[${form}]/` : `http://${form}/`;
        assert.deepEqual(
          checkUrl(url, publicOnly).map(({ code }) => code),
          ['url_not_public'],
          `${cloud}: ${url}`,
        );
      }
    }
  }
  assert.ok(connectPolicy(['168.63.129.16'])('168.63.129.16'), 'the operator can allow it');
});

test('public addresses and those that the operator allows are accepted', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    assert.ok(isPublic(address), address);
  }
  const allowing = connectPolicy(['10.0.0.0/8', 'fd00::/8']);
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', '8.8.8.8']) assert.ok(allowing(address), address);
  for (const address of ['127.0.0.1', '192.168.0.1', 'fc00::1', '::ffff:127.0.0.1'])
    assert.ok(!allowing(address), address);
});

test('an IPv4 address embedded in an IPv6 address is treated like the IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(isPublic(`::ffff:${address}`), isPublic(address));
      assert.equal(isPublic(`64:ff9b::${address}`), isPublic(address));
      assert.ok(
        !isPublic(
          `2002:${Buffer.from(address.split('.').map(Number))
            .toString('hex')
            .replace(/^(.{4})/, '$1:')}::1`,
        ),
      );
    }),
  );
});

test('a URL with credentials, another protocol, or no protocol is rejected', () => {
  for (const [url, code] of [
    ['https://user:pass@hooks.example/', 'url_credentials'],
    ['https://token@hooks.example/', 'url_credentials'],
    ['ftp://hooks.example/', 'url_invalid'],
    ['file:///etc/passwd', 'url_invalid'],
    ['hooks.example', 'url_invalid'],
    ['', 'url_invalid'],
  ] as const) {
    assert.deepEqual(
      checkUrl(url, local).map((fault) => fault.code),
      [code],
      url,
    );
  }
  assert.deepEqual(checkUrl('https://hooks.example:8443/a?b=c', local), []);
});
