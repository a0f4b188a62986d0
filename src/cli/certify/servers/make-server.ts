import { GitHubTestedServer } from './github-server';
import { GitLabTestedServer } from './gitlab-server';
import { GiteaTestedServer } from './gitea-server';
import type { CertifiedKind, HostAccount, TestedServer } from './tested-server';

const SERVERS = { gitea: GiteaTestedServer, github: GitHubTestedServer, gitlab: GitLabTestedServer } as const;

/** Null: certify does not support servers of this kind. */
export function certifiedKindIn(kind: string): CertifiedKind | null {
  return Object.hasOwn(SERVERS, kind) ? (kind as CertifiedKind) : null;
}

/** `token`: the token of the account that creates all repositories. Throws StepRefused. */
export async function testedServer(kind: CertifiedKind, url: string, token: string): Promise<TestedServer> {
  const gitUrl = url.replace(/\/+$/, '');
  const as = (account: HostAccount): TestedServer => new SERVERS[kind](gitUrl, account);
  return as({ login: await as({ login: '', token }).loginOf(token), token });
}
