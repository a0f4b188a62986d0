import { ConfigError, type HostConfig } from '../../platform/config/config';
import { secretSetting, textSetting } from '../host-settings';
import type { Person } from './objects';
import { type CommitKey, commitKeyIn } from './signing/commit-key';

/** The person or service that makes the commits of the queue. */
export interface Committer extends Person {
  /** The key that signs the commits; null if they are not signed. */
  readonly key: CommitKey | null;
}

export const COMMITTER_SETTINGS = ['committerName', 'committerEmail', 'signingKey', 'signingKeyFile'] as const;

/** The settings of a committer, in which the default name is not filled in. */
export interface CommitterSettings extends Omit<Committer, 'name'> {
  /** The name of the committer; null for the brand of the service. */
  readonly name: string | null;
}

/** Reads the settings of the committer. Throws ConfigError, whose message never repeats a key. */
export function readCommitter(config: HostConfig): CommitterSettings {
  const { host } = config;
  const name = textSetting(config, 'committerName');
  const email = textSetting(config, 'committerEmail');
  const text = secretSetting(config, 'signingKey');
  if (text === null) return { name, email: email ?? 'sluice@localhost', key: null };
  const key = commitKeyIn(text);
  if ('why' in key) throw new ConfigError(`SLUICE_HOSTS: the signing key of ${host} ${key.why}`);
  if (email !== null) return { name, email, key };
  const why = 'A code host looks for the signing key in the account with this email address.';
  throw new ConfigError(`SLUICE_HOSTS: ${host} has a signing key, but no "committerEmail". ${why}`);
}

export function committerOf({ name, email, key }: CommitterSettings, brand: string): Committer {
  return { name: name ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`, email, key };
}
