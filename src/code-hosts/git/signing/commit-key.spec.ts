import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { commitKeyIn } from './commit-key';
import { signCommit } from './sign-commit';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const OBJECT = Buffer.from('tree 1\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nMessage\n\nMore\n');

function keyIn(text: string) {
  const key = commitKeyIn(text);
  if ('why' in key) throw new Error(key.why);
  return key;
}

describe('A key that signs commits', () => {
  it('is read from a PEM file, also if line breaks are written as backslash and n', () => {
    const [plain, escaped] = [PEM, PEM.replaceAll('\n', '\\n')].map((text) => keyIn(text).publicKey.toString('hex'));
    expect(plain).toContain(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex'));
    expect(escaped).toBe(plain);
  });

  it.each([
    ['secret', /^contains no private SSH key/],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----', /^contains no private SSH key/],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\n', /^contains a GPG key, whose signatures contain the time/],
    ['ssh-ed25519 AAAAC3Nza bot@host', /^contains a public key/],
    ['sk-ssh-ed25519@openssh.com AAAA bot@host', /^contains a public key/],
    ['-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n', /^is locked with a passphrase/],
  ])('is not read from %j, and the reason does not repeat the text', (text, why) => {
    const key = commitKeyIn(text);
    expect(key).toEqual({ why: expect.stringMatching(why) as string });
    expect(JSON.stringify(key)).not.toContain(text.trim());
  });

  it('is not read from a file that ends too early', () => {
    const magic = Buffer.from(
      'openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01\0\0\x01\0short',
      'latin1',
    );
    const text = `-----BEGIN OPENSSH PRIVATE KEY-----\n${magic.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
    expect(commitKeyIn(text)).toEqual({ why: expect.stringMatching(/^contains no private SSH key/) as string });
  });
});

describe('A signed commit', () => {
  const key = keyIn(PEM);
  const signed = signCommit(OBJECT, key).toString();
  const header = /^gpgsig (.*\n(?: .*\n)*)/m.exec(signed);

  it('is the commit with a signature as its last header', () => {
    expect(signed.replace(header![0], '')).toBe(OBJECT.toString());
    expect(signed.indexOf('gpgsig')).toBe(OBJECT.indexOf('\n\n') + 1);
  });

  it('is the same each time it is made', () => {
    expect(signCommit(OBJECT, key).toString()).toBe(signed);
  });

  it('has a signature of its content', () => {
    const armor = header![1]!.replaceAll(/-----[^-]*-----|\s/g, '');
    const signature = Buffer.from(armor, 'base64').subarray(-64);
    const scope = Buffer.from('SSHSIG\0\0\0\x03git\0\0\0\0\0\0\0\x06sha512\0\0\0\x40', 'latin1');
    const isOf = (content: Buffer): boolean =>
      verify(null, Buffer.concat([scope, createHash('sha512').update(content).digest()]), publicKey, signature);
    expect(isOf(OBJECT)).toBe(true);
    expect(isOf(Buffer.from('anything else'))).toBe(false);
  });

  it('is not made for an object without a message, whose headers have no end', () => {
    expect(() => signCommit(Buffer.from('tree 1\n'), key)).toThrow('A commit must have a message');
  });
});
