import type { HostRepository } from '../../../domain/code-host.port';
import { type Finding, problem } from '../../../domain/host-examination';
import { at, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { answerOf } from './answer-of';

const PUSH_RULES: readonly (readonly [field: string, what: string, way: string])[] = [
  [
    'reject_unsigned_commits',
    'a push rule demands signed commits, which those of the queue are not',
    'Take it out: Settings, Repository, Push rules.',
  ],
  [
    'commit_committer_check',
    'a push rule demands that the committer is who pushes',
    'Set committerEmail of the host to an address of the user of the token, or take the rule out.',
  ],
  [
    'author_email_regex',
    "a push rule demands addresses of commits, of the queue's own as well",
    'Set committerEmail of the host to an address that it allows.',
  ],
  [
    'commit_message_regex',
    'a push rule demands messages of a form, also of the merge commits of the queue',
    'Let it allow messages that begin with "Merge pull request".',
  ],
];

/** A part of paid GitLab: without it there are none. */
export async function examinePushRules(
  api: GitLabApi,
  about: string,
  repository: HostRepository,
  brand: string,
): Promise<readonly Finding[]> {
  const rules = await answerOf(() => api.ask(repository, 'GET', 'push_rule'));
  if (typeof rules === 'string') return [];
  const set = (field: string): boolean => at(rules.body, field) === true || Boolean(textAt(rules.body, field));
  const findings = PUSH_RULES.filter(([field]) => set(field)).map(([, what, way]) => problem(about, what, way));
  const names = textAt(rules.body, 'branch_name_regex') ?? '';
  if (names === '' || matches(names, `${brand}-merge/pr-1/run`)) return findings;
  const what = `a push rule allows only branches that match ${names}, and testing branches do not`;
  return [...findings, problem(about, what, `Let it allow ${brand}-merge/ as well.`)];
}

/** An expression of the host that means nothing here is taken to match. */
function matches(expression: string, text: string): boolean {
  try {
    return new RegExp(expression).test(text);
  } catch {
    return true;
  }
}
