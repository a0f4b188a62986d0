import { createHash, sign } from 'node:crypto';
import { field, KEY_TYPE, type CommitKey } from './commit-key';

const MAGIC = Buffer.from('SSHSIG');
const VERSION = Buffer.from([0, 0, 0, 1]);
const HASH = 'sha512';
const NAMESPACE = 'git';

/** The commit object with a signature as its last header, in the format of `git commit -S`. */
export function signCommit(object: Buffer, key: CommitKey): Buffer {
  const end = object.indexOf('\n\n');
  if (end === -1) throw new Error('A commit must have a message');
  const header = `gpgsig ${signatureOf(object, key).join('\n ')}\n`;
  return Buffer.concat([object.subarray(0, end + 1), Buffer.from(header), object.subarray(end + 1)]);
}

/** The lines of a signature, without line breaks, in the format of OpenSSH's PROTOCOL.sshsig. */
function signatureOf(message: Buffer, { privateKey, publicKey }: CommitKey): readonly string[] {
  const scope = [field(NAMESPACE), field(''), field(HASH)];
  const digest = createHash(HASH).update(message).digest();
  const signature = sign(null, Buffer.concat([MAGIC, ...scope, field(digest)]), privateKey);
  const proof = Buffer.concat([field(KEY_TYPE), field(signature)]);
  const blob = Buffer.concat([MAGIC, VERSION, field(publicKey), ...scope, field(proof)]).toString('base64');
  const lines = blob.match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'];
}
