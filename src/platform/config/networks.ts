import { BlockList, isIP } from 'node:net';
import { ConfigError } from './config';
import { type Environment, givenBy } from './environment';

/** Networks such as `10.1.0.0/16` or `fd00::/8`, or single addresses, separated by commas. */
export function readNetworks(env: Environment, name: string): readonly string[] {
  const texts = (env[name] ?? '').split(',').map((text) => text.trim());
  const networks = texts.filter((text) => text !== '');
  const wrong = networks.find((text) => partsOf(text) === null);
  if (wrong === undefined) return networks;
  throw new ConfigError(
    `${givenBy(env, name)} names ${JSON.stringify(wrong)}, but must be networks such as 10.1.0.0/16 or fd00::/8, separated by commas.`,
  );
}

/** `networks`: the result of `readNetworks`. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of networks.flatMap((text) => partsOf(text) ?? []))
    list.addSubnet(address, bits, family);
  return list;
}

function partsOf(text: string) {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return null;
  const longest = version === 4 ? 32 : 128;
  const bits = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  const family = version === 4 ? ('ipv4' as const) : ('ipv6' as const);
  return bits <= longest ? { address, bits, family } : null;
}
