import { fromSigstoreBundle, isSignedBy } from './statement/envelope';
import { payloadDigest, type StatedLanding, landingIn, PAYLOAD_TYPE } from './statement/landing-statement';
import type { TrustedKeys } from './trusted-keys';

/** A file of a bundle and its contents. */
export interface OpenedStatement {
  readonly name: string;
  readonly digest: string;
  /** The contents of the payload, signed or not. Null: unreadable. */
  readonly landing: StatedLanding | null;
  /** The reason why the statement proves nothing. Null: its signature is valid. */
  readonly problem: string | null;
}

export function openStatement(name: string, text: string, keys: TrustedKeys): OpenedStatement {
  const envelope = fromSigstoreBundle(jsonIn(text));
  if (envelope === null) return { name, digest: '', landing: null, problem: `${name} is not a signed statement` };
  const landing = landingIn(envelope.payload.toString('utf8'));
  const opened = { name, digest: payloadDigest(envelope.payload), landing: 'problem' in landing ? null : landing };
  const by = keys.get(envelope.keyId);
  if (by === undefined) {
    return {
      ...opened,
      problem: `it is signed by the key ${shortOf(envelope.keyId)}, which is not among the given keys`,
    };
  }
  if (envelope.payloadType !== PAYLOAD_TYPE)
    return { ...opened, problem: 'the signed content is not an in-toto statement' };
  if (!isSignedBy(envelope, by.key))
    return { ...opened, problem: 'its signature does not match: the statement was changed' };
  if ('problem' in landing) return { ...opened, problem: landing.problem };
  if (by.revokedFrom !== null && new Date(landing.signedAt ?? landing.mergedAt) >= by.revokedFrom) {
    const from = by.revokedFrom.toISOString();
    return { ...opened, problem: `its key ${shortOf(envelope.keyId)} is revoked from ${from} on` };
  }
  return { ...opened, problem: null };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shortOf(id: string): string {
  return id === '' ? 'without an id' : id.slice(0, 12);
}
