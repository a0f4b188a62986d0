import { runInNewContext } from 'node:vm';
import type { HostRepository } from '../../../domain/code-host.port';
import { type Finding, ok, problem } from '../../../domain/host-examination';
import { at, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { replyOrWhyNot } from '../../forge/client/host-answer';

const PUSH_RULES: readonly (readonly [field: string, what: string, way: string])[] = [
  [
    'commit_committer_check',
    'a push rule demands that the committer is the user who pushes',
    'Set committerEmail of the host to an address of the user of the token, or remove the rule.',
  ],
  [
    'author_email_regex',
    'a push rule restricts the email addresses of commits, also for commits of the queue',
    'Set committerEmail of the host to an allowed address.',
  ],
  [
    'commit_message_regex',
    'a push rule restricts commit messages, also for merge commits of the queue',
    'Allow messages that begin with "Merge pull request".',
  ],
];

const LIMIT = { timeout: 100 };
const UNSIGNED = 'reject_unsigned_commits';
const AUTHORS_SIGN = 'The queue makes merge commits, so authors must sign the commits of their merge requests.';

/**
 * Findings about push rules that refuse commits or branches of the queue. There are none without a paid plan of GitLab.
 */
export async function examinePushRules(
  api: GitLabApi,
  about: string,
  repository: HostRepository,
  { brand, signs }: { readonly brand: string; readonly signs: boolean },
): Promise<readonly Finding[]> {
  const rules = await replyOrWhyNot(() => api.ask(repository, 'GET', 'push_rule'));
  if (typeof rules === 'string') return [];
  const set = (field: string): boolean => at(rules.body, field) === true || Boolean(textAt(rules.body, field));
  const unsigned = set(UNSIGNED) ? [checkSignatures(about, signs)] : [];
  const findings = PUSH_RULES.filter(([field]) => set(field))
    .map(([, what, way]) => problem(about, what, way))
    .concat(unsigned);
  const names = textAt(rules.body, 'branch_name_regex') ?? '';
  if (names === '' || matches(names, `${brand}-merge/pr-1/run`)) return findings;
  const what = `a push rule allows only branches that match ${names}, and testing branches do not`;
  return [...findings, problem(about, what, `Allow ${brand}-merge/ as well.`)];
}

function checkSignatures(about: string, signs: boolean): Finding {
  if (signs) return ok(about, 'a push rule demands signed commits, and the service signs its own', AUTHORS_SIGN);
  const way =
    'Give the host a signing key, as docs/gitlab.md says, or remove the rule: Settings, Repository, Push rules.';
  return problem(about, 'a push rule demands signed commits, and the service has no key to sign them', way);
}

/**
 * An expression counts as a match if JavaScript cannot compile it or needs longer than the limit. GitLab's own engine
 * needs linear time for each expression; JavaScript may need exponential time.
 */
function matches(expression: string, text: string): boolean {
  try {
    const isMatch: unknown = runInNewContext('new RegExp(expression).test(text)', { expression, text }, LIMIT);
    return isMatch === true;
  } catch {
    return true;
  }
}
