import { networkList } from '../../../platform/config/networks';
import { reachabilityOf } from './reachable-addresses';

const NONE = networkList([]);

describe('The addresses that a webhook may reach', () => {
  it.each(['1.1.1.1', '140.82.121.4', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'include public addresses: %s',
    (address) => expect(reachabilityOf(address, NONE)).toBe('public'),
  );

  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1', '::127.0.0.1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1:2::', 'localhost', '', '127.1'],
  ])('attack 14: exclude private addresses: %s', (address) => expect(reachabilityOf(address, NONE)).toBe('refused'));

  it('include the networks that the operator lists', () => {
    const listed = networkList(['10.1.0.0/16', '::1', '192.168.7.7']);
    expect(['10.1.2.3', '::1', '192.168.7.7', '::ffff:10.1.2.3'].map((one) => reachabilityOf(one, listed))).toEqual(
      Array(4).fill('listed'),
    );
    expect(['10.2.0.1', '::2', '192.168.7.8'].map((one) => reachabilityOf(one, listed))).toEqual(
      Array(3).fill('refused'),
    );
  });
});
