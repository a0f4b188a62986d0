import type { KeyObject } from 'node:crypto';
import { type Envelope, fromSigstoreBundle, isSignedBy, publicKeysIn } from './statement/envelope';

export const ROTATION_TYPE = 'application/vnd.sluice.key-rotation.v1+json';

/** The statement of a key about its successor. */
export interface KeyRotation {
  readonly from: string;
  /** In PEM. */
  readonly to: string;
  readonly at: string;
}

/** A key in the list of the service. */
export interface ListedKey {
  readonly id: string;
  /** In PEM. */
  readonly publicKey: string;
  readonly since: string;
  /** Signatures about merges from this time on do not count. Null: not revoked. */
  readonly revokedFrom: string | null;
  /** A Sigstore bundle with a `KeyRotation`, signed by the previous key. Null: this is the first key. */
  readonly rotation: unknown;
}

export interface TrustedKey {
  readonly key: KeyObject;
  readonly revokedFrom: Date | null;
}

export type TrustedKeys = ReadonlyMap<string, TrustedKey>;

/**
 * The keys of a file: PEM blocks, or an answer of GET /v1/attestations/keys, which also names revoked keys.
 * @throws Error, with a message for people, if the file has no key.
 */
export function keysInFile(text: string): TrustedKeys {
  const listed = listedKeysIn(text);
  const keys = listed === null ? keysOfPem(text) : keysOfList(listed);
  if (keys.size === 0) throw new Error('contains no Ed25519 public key');
  return keys;
}

function keysOfPem(text: string): TrustedKeys {
  return new Map(publicKeysIn(text).map(({ id, key }) => [id, { key, revokedFrom: null }]));
}

function keysOfList(listed: readonly ListedKey[]): TrustedKeys {
  return new Map(
    listed.flatMap(({ publicKey, revokedFrom }) =>
      publicKeysIn(publicKey).map(({ id, key }) => [id, { key, revokedFrom: dateOf(revokedFrom) }] as const),
    ),
  );
}

/** Null: the text is not a list of keys. */
export function listedKeysIn(text: string): readonly ListedKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys.filter(isListedKey) : null;
  } catch {
    return null;
  }
}

function isListedKey(given: unknown): given is ListedKey {
  return typeof (given as Partial<ListedKey> | null)?.publicKey === 'string';
}

function dateOf(text: string | null | undefined): Date | null {
  const date = new Date(text ?? NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Adds the keys of a bundle that a trusted key signed, directly or through other keys. A rotation that a revoked key
 * signed makes no key trusted.
 */
export function withRotated(trusted: TrustedKeys, offered: readonly ListedKey[]): TrustedKeys {
  const keys = new Map(trusted);
  let isNew = true;
  while (isNew) {
    isNew = false;
    for (const { rotation, publicKey, revokedFrom } of offered) {
      const [one] = publicKeysIn(publicKey);
      if (one === undefined || keys.has(one.id) || !isVouchedFor(one.id, fromSigstoreBundle(rotation), keys)) continue;
      keys.set(one.id, { key: one.key, revokedFrom: dateOf(revokedFrom) });
      isNew = true;
    }
  }
  return keys;
}

function isVouchedFor(id: string, envelope: Envelope | null, keys: TrustedKeys): boolean {
  const by = keys.get(envelope?.keyId ?? '');
  if (envelope === null || by === undefined || by.revokedFrom !== null) return false;
  if (envelope.payloadType !== ROTATION_TYPE || !isSignedBy(envelope, by.key)) return false;
  try {
    const { to } = JSON.parse(envelope.payload.toString('utf8')) as KeyRotation;
    return publicKeysIn(to)[0]?.id === id;
  } catch {
    return false;
  }
}
