import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { bundleFromJSON, bundleToJSON, isBundleWithDsseEnvelope, toDSSEBundle } from '@sigstore/bundle';
import { dsse } from '@sigstore/core';

/** A payload with its signature, in the format of DSSE v1. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signature: Buffer;
  /** The id of the public key, as `keyIdOf` computes it. */
  readonly keyId: string;
}

export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  /** SPKI, in PEM. */
  readonly publicKey: string;
}

/** @throws Error, with a message for people, if `pem` is not a private Ed25519 key. */
export function signingKeyIn(pem: string): SigningKey {
  const privateKey = readKey(pem, createPrivateKey);
  if (privateKey?.asymmetricKeyType !== 'ed25519') throw new Error('is not an Ed25519 private key in PEM');
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { id: keyIdOf(publicKey), privateKey, publicKey };
}

/** The public Ed25519 keys in a text of PEM blocks. */
export function publicKeysIn(text: string): readonly { readonly id: string; readonly key: KeyObject }[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g) ?? [];
  return blocks.flatMap((pem) => {
    const key = readKey(pem, createPublicKey);
    return key?.asymmetricKeyType === 'ed25519' ? [{ id: keyIdOf(pem), key }] : [];
  });
}

function readKey(pem: string, read: (pem: string) => KeyObject): KeyObject | null {
  try {
    return read(pem);
  } catch {
    return null;
  }
}

/** SHA-256 of the public key (SPKI, DER), in hex. */
export function keyIdOf(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}

export function signed(payloadType: string, payload: string, { id, privateKey }: SigningKey): Envelope {
  const bytes = Buffer.from(payload);
  return { payloadType, payload: bytes, signature: sign(null, signedBytes(payloadType, bytes), privateKey), keyId: id };
}

export function isSignedBy({ payloadType, payload, signature }: Envelope, key: KeyObject): boolean {
  return verify(null, signedBytes(payloadType, payload), key, signature);
}

function signedBytes(payloadType: string, payload: Buffer): Buffer {
  return dsse.preAuthEncoding(payloadType, payload);
}

/** The envelope as a Sigstore bundle (v0.3), which other tools can read. */
export function asSigstoreBundle({ payloadType, payload, signature, keyId }: Envelope): object {
  const bundle = toDSSEBundle({ artifact: payload, artifactType: payloadType, signature, keyHint: keyId });
  return bundleToJSON(bundle);
}

/** Null: `json` is no Sigstore bundle, or contains no envelope with exactly one signature. */
export function fromSigstoreBundle(json: unknown): Envelope | null {
  try {
    const bundle = bundleFromJSON(json);
    if (!isBundleWithDsseEnvelope(bundle)) return null;
    const { dsseEnvelope, $case } = bundle.content;
    const [signature] = dsseEnvelope.signatures;
    if ($case !== 'dsseEnvelope' || signature === undefined || dsseEnvelope.signatures.length > 1) return null;
    const { content } = bundle.verificationMaterial;
    const hint = content.$case === 'publicKey' ? content.publicKey.hint : '';
    return {
      payloadType: dsseEnvelope.payloadType,
      payload: dsseEnvelope.payload,
      signature: signature.sig,
      keyId: hint || signature.keyid,
    };
  } catch {
    return null;
  }
}
