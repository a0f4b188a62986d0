import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Signs commits. Ed25519 always gives the same signature for the same commit, so the commit id stays the same, too. */
export interface CommitKey {
  readonly privateKey: KeyObject;
  /** The public key in SSH's format: its type, then the key. */
  readonly publicKey: Buffer;
}

export const KEY_TYPE = 'ssh-ed25519';

/** Why a file cannot sign commits, as the rest of a sentence that begins with the name of the file. */
export interface UnfitKey {
  readonly why: string;
}

const MAGIC = 'openssh-key-v1\0';
const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const LENGTH_BYTES = 4;
const RAW_BYTES = 32;
/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const MAKE_ONE = 'Make one with ssh-keygen -t ed25519.';
const NO_KEY: UnfitKey = { why: `contains no private SSH key. ${MAKE_ONE}` };
const LOCKED: UnfitKey = {
  why: 'is locked with a passphrase, which the service cannot type. Remove the passphrase with ssh-keygen -p.',
};

/** The key in a file of `ssh-keygen`, or in a PEM file. The reasons never repeat the file's content. */
export function commitKeyIn(text: string): CommitKey | UnfitKey {
  // In JSON and environments line breaks are often written as backslash and n.
  const content = text.replaceAll('\\n', '\n').trim();
  if (content.startsWith('-----BEGIN PGP')) {
    return {
      why: `contains a GPG key, whose signatures contain the time: the same commit would get a new id each time. ${MAKE_ONE}`,
    };
  }
  if (/^(ssh|ecdsa|sk-)[\w.@-]* /.test(content)) return { why: 'contains a public key. Name the file without ".pub".' };
  const body = OPENSSH.exec(content)?.[1];
  if (body !== undefined) return openSshKeyIn(Buffer.from(body, 'base64'));
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(content)) return LOCKED;
  try {
    return commitKeyOf(createPrivateKey(content));
  } catch {
    return NO_KEY;
  }
}

function commitKeyOf(privateKey: KeyObject): CommitKey | UnfitKey {
  if (privateKey.asymmetricKeyType !== 'ed25519') return otherType(privateKey.asymmetricKeyType ?? 'unknown');
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: Buffer.concat([field(KEY_TYPE), field(spki.subarray(-RAW_BYTES))]) };
}

/** Reads a private key of OpenSSH, whose format is described in its PROTOCOL.key. */
function openSshKeyIn(file: Buffer): CommitKey | UnfitKey {
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) return NO_KEY;
  try {
    const outer = new Fields(file.subarray(MAGIC.length));
    const [cipher] = [outer.text(), outer.text(), outer.bytes()];
    outer.skip(LENGTH_BYTES);
    const type = new Fields(outer.bytes()).text();
    if (type !== KEY_TYPE) return otherType(type);
    if (cipher !== 'none') return LOCKED;
    const inner = new Fields(outer.bytes());
    inner.skip(LENGTH_BYTES + LENGTH_BYTES);
    inner.bytes();
    inner.bytes();
    const raw = inner.bytes().subarray(0, RAW_BYTES);
    return commitKeyOf(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' }));
  } catch {
    return NO_KEY;
  }
}

function otherType(type: string): UnfitKey {
  return { why: `contains a key of type ${type}. Only Ed25519 gives a commit the same id each time. ${MAKE_ONE}` };
}

/** Bytes or a text in SSH's format (RFC 4251), which begins with four bytes of length. */
export function field(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

class Fields {
  private at = 0;

  constructor(private readonly content: Buffer) {}

  /** Throws RangeError if the content is shorter than its length field. */
  bytes(): Buffer {
    const begin = this.at + LENGTH_BYTES;
    const end = begin + this.content.readUInt32BE(this.at);
    if (end > this.content.length) throw new RangeError('The file is shorter than its header says');
    this.at = end;
    return this.content.subarray(begin, end);
  }

  text(): string {
    return this.bytes().toString('latin1');
  }

  skip(bytes: number): void {
    this.at += bytes;
  }
}
