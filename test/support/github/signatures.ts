import type { Account } from '../forge/accounts';
import type { Signature } from '../forge/git';

export function signatureOf({ name, email }: Account, at: Date): Signature {
  return { name, email, date: gitDate(at) };
}

/** The committer of a merge that GitHub makes and signs. */
export function signatureOfGitHub(at: Date): Signature {
  return { name: 'GitHub', email: 'noreply@github.com', date: gitDate(at) };
}

function gitDate(at: Date): string {
  return `${Math.floor(at.getTime() / 1000)} +0000`;
}
