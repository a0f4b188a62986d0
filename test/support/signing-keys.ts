import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommitKey, commitKeyIn } from '../../src/code-hosts/git/signing/commit-key';
import type { Need } from './only-where';

export const SSH_KEYGEN: Need = {
  isMet: spawnSync('ssh-keygen', ['-?']).error === undefined,
  otherwise: 'it needs ssh-keygen',
};

export interface KeyOptions {
  /** The type for `ssh-keygen -t`, followed by further options. */
  readonly type?: readonly string[];
  readonly passphrase?: string;
}

/** Makes a key in two files of the folder, as people do. Returns the path of the private key. */
export function makeSshKey(folder: string, name: string, options: KeyOptions = {}): string {
  const { type = ['ed25519'], passphrase = '' } = options;
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', ...type, '-N', passphrase, '-C', 'sluice-bot', '-f', file]);
  return file;
}

/** The key for signing commits in a file. Throws if the file has no key that can sign. */
export function commitKeyOfFile(file: string): CommitKey {
  const key = commitKeyIn(readFileSync(file, 'utf8'));
  if ('why' in key) throw new Error(key.why);
  return key;
}

/**
 * Writes git's file of allowed signers, which lists keys by the email address of their owner. Returns the path of the
 * file.
 */
export function allowSigners(folder: string, keys: Readonly<Record<string, string>>): string {
  const file = join(folder, 'allowed-signers');
  const lines = Object.entries(keys).map(([email, key]) => `${email} ${readFileSync(`${key}.pub`, 'utf8').trim()}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
