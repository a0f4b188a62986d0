import { runGit } from '../bare-repository';

/** The public key of each account in SSH format, by the account's email address. */
export type SigningKeys = ReadonlyMap<string, Buffer>;

/**
 * A variable for a hook. Each line of its value has an email address, a space, and the first line of the account's
 * signatures.
 */
export const SIGNERS = 'SLUICE_DOUBLE_SIGNERS';
/** A variable for a hook that lists the refs that accept only signed commits, one per line. */
export const SIGNED_ONLY = 'SLUICE_DOUBLE_SIGNED_ONLY';

const NO_COMMIT = '0'.repeat(40);
const LINE_LENGTH = 70;

/**
 * A shell function for a hook. `unverified <before> <after>` prints the first new commit without a signature of a known
 * account, and `yes` if that commit has another signature.
 */
export const UNVERIFIED = `
unverified() {
  case "$2" in ${NO_COMMIT}) return ;; esac
  range="$1..$2"
  case "$1" in ${NO_COMMIT}) range="$2 --not --all" ;; esac
  for commit in $(git rev-list $range); do
    line="$(git cat-file commit "$commit" | sed -n '/^gpgsig /{n;p;q;}')"
    signer="$(git log -1 --format=%ce "$commit")$line"
    printf '%s\\n' "$${SIGNERS}" | grep -qxF "$signer" && continue
    echo "$commit\${line:+ yes}"
    return
  done
}`;

/** The value of the variable `SIGNERS` for the hook. */
export function signersOf(keys: SigningKeys): string {
  return [...keys].map(([email, key]) => `${email} ${firstLineOf(key)}`).join('\n');
}

/**
 * The first line of each signature that the key makes. A signature begins with the key, so its first line identifies
 * the account.
 */
function firstLineOf(key: Buffer): string {
  const length = Buffer.from([0, 0, 0, key.length]);
  const blob = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), length, key]);
  return blob.toString('base64').slice(0, LINE_LENGTH);
}

export function verificationOf(bare: string, commit: string, keys: SigningKeys): 'unsigned' | 'unknown_key' | 'valid' {
  const lines = runGit(bare, ['cat-file', 'commit', commit]).split('\n');
  const begin = lines.findIndex((line) => line.startsWith('gpgsig '));
  if (begin === -1) return 'unsigned';
  const email = /^committer .*<(.*)>/m.exec(lines.join('\n'))?.[1] ?? '';
  const key = keys.get(email);
  return key !== undefined && lines[begin + 1] === ` ${firstLineOf(key)}` ? 'valid' : 'unknown_key';
}
