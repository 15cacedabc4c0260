// Client addresses: who asks is the peer, unless a trusted proxy says otherwise.
import { describe, expect, test } from 'vitest';
import { ClientAddresses, networkOf, shopperAddress } from '#edge/gates/address.ts';
import { Refusal } from '#runtime/call/call.ts';

describe('the client address', () => {
  const addresses = new ClientAddresses('10.0.0.0/8, 192.0.2.7, 2001:db8:1::/48');
  test.each([
    ['an untrusted peer is itself', '203.0.113.9', null, '203.0.113.9'],
    ['an untrusted peer cannot speak for another', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a trusted proxy reports its client', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['the rightmost untrusted hop counts', '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['a hop that is no address ends the chain', '10.1.2.3', 'evil, 10.9.9.9', '10.9.9.9'],
    ['a peer mapped into IPv6 is its IPv4 address', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['a proxy of a trusted IPv6 network', '2001:db8:1::5', '2001:db8:9::1', '2001:db8:9::1'],
    ['all hops trusted: the outermost', '10.1.2.3', '10.4.4.4', '10.4.4.4'],
  ])('%s', (_name, peer, forwarded, client) => {
    expect(addresses.client(peer, forwarded)).toBe(client);
  });

  test('a list with something else in it is refused at start', () => {
    expect(() => new ClientAddresses('10.0.0.0/8, proxy.internal')).toThrow('proxy.internal');
  });
});

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  [null, ''],
  ['', ''],
  ['198.51.100.1', '198.51.100.1'],
  ['2001:DB8:0::0001', '2001:db8::1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::FFFF:c633:6401', '198.51.100.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['198.51.100.1:443', 'X-Shopper-IP'],
  ['[2001:db8::1]', 'X-Shopper-IP'],
  ['198.51.100.1, 198.51.100.2', 'X-Shopper-IP'],
  ['198.51.100.0/24', 'X-Shopper-IP'],
  ['198.51.100.01', 'X-Shopper-IP'],
  ['shop.example', 'X-Shopper-IP'],
])('X-Shopper-IP %j names %s', (header, expected) => {
  const address = shopperAddress(header);
  expect(address instanceof Refusal ? address.extra.param : address).toBe(expected);
});
