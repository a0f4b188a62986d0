import { type BlockList, isIPv4, isIPv6 } from 'node:net';
import { networkList } from '../../../platform/config/networks';

/**
 * Networks that are not public: this machine, private networks, link-local networks, and reserved networks (RFC 6890).
 */
const RESERVED_V4 = networkList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]);
/** Public IPv6, without addresses that stand for an IPv4 address (Teredo, 6to4) and without documentation. */
const PUBLIC_V6 = networkList(['2000::/3']);
const RESERVED_V6 = networkList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** `listed`: the address is in a network that the operator named. `refused`: it is neither public nor listed. */
export type Reachability = 'public' | 'listed' | 'refused';

/** Whether a webhook may be sent to an address (not a name). `listed`: the networks that the operator named. */
export function reachabilityOf(address: string, listed: BlockList): Reachability {
  const plain = withoutMapping(address);
  if (isIPv4(plain)) {
    if (listed.check(plain, 'ipv4')) return 'listed';
    return RESERVED_V4.check(plain, 'ipv4') ? 'refused' : 'public';
  }
  if (!isIPv6(plain)) return 'refused';
  if (listed.check(plain, 'ipv6')) return 'listed';
  return PUBLIC_V6.check(plain, 'ipv6') && !RESERVED_V6.check(plain, 'ipv6') ? 'public' : 'refused';
}

/** The IPv4 address behind a mapped address: `::ffff:10.0.0.1`, in any notation, stands for 10.0.0.1. */
function withoutMapping(address: string): string {
  if (!isIPv6(address)) return address;
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
  if (!hex) return written;
  const [high, low] = [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
