import { created, GitHubRefusal, NO_CONTENT, notFound, ok, type Answer } from '../answers';
import { pushRefusal, rulesOf } from '../branch-rules';
import { noticeBranches } from '../branches';
import { attempt, isAncestor, resolveCommit } from '../../forge/git';
import { mergeCommits } from '../../forge/merge-commits';
import { pageOf, requiredTextOf, textOf, type RepositoryRequest, type RepositoryRoute } from '../router';
import { activityShape } from '../shapes/activity';
import { branchShape, rulesetShape, rulesShape } from '../shapes/branch';
import { commitShape, gitCommitShape, refShape } from '../shapes/commit';
import { fullRepositoryShape } from '../shapes/repository';
import { signatureOf } from '../signatures';

const ROOT = '/repos/{owner}/{repo}';
const METADATA = { for: 'repository', permissions: ['metadata'], level: 'read' } as const;
const READING = { for: 'repository', permissions: ['contents'], level: 'read' } as const;
const WRITING = { for: 'repository', permissions: ['contents'], level: 'write' } as const;

export const REPOSITORY_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'repos/get',
    method: 'GET',
    path: ROOT,
    ...METADATA,
    handle: ({ state, repository }) => ok(fullRepositoryShape(state, repository)),
  },
  { operation: 'repos/get-branch', method: 'GET', path: `${ROOT}/branches/{branch}`, ...READING, handle: readBranch },
  {
    operation: 'repos/get-branch-rules',
    method: 'GET',
    path: `${ROOT}/rules/branches/{branch}`,
    ...METADATA,
    handle: ({ repository, parameters }) => {
      const rules = rulesOf(repository, parameters.branch ?? '').filter((rule) => rule.kind === 'ruleset');
      return ok(rules.flatMap((rule) => rulesShape(repository, rule)));
    },
  },
  {
    operation: 'repos/get-repo-ruleset',
    method: 'GET',
    path: `${ROOT}/rulesets/{ruleset_id}`,
    ...METADATA,
    handle: ({ repository, account, parameters }) => {
      const rule = repository.rules.find((one) => one.kind === 'ruleset' && one.id === Number(parameters.ruleset_id));
      if (rule === undefined) throw notFound();
      return ok(rulesetShape(repository, rule, account));
    },
  },
  {
    operation: 'repos/list-activities',
    method: 'GET',
    path: `${ROOT}/activity`,
    ...READING,
    handle: (request) => {
      const { state, repository, query } = request;
      const ref = query.get('ref');
      const found = repository.activities.filter(({ branch }) => ref === null || ref === `refs/heads/${branch}`);
      const { items, headers } = pageOf(request, query.get('direction') === 'asc' ? found : found.toReversed());
      return ok(
        items.map((activity) => activityShape(state, activity)),
        headers,
      );
    },
  },
  { operation: 'git/get-ref', method: 'GET', path: `${ROOT}/git/ref/{ref}`, ...READING, handle: readRef },
  {
    operation: 'git/get-commit',
    method: 'GET',
    path: `${ROOT}/git/commits/{commit_sha}`,
    ...READING,
    handle: ({ state, repository, parameters }) => {
      const sha = resolveCommit(repository.world.bare, parameters.commit_sha ?? '');
      if (sha === null || sha !== parameters.commit_sha) throw notFound();
      return ok(gitCommitShape(state, repository, sha));
    },
  },
  { operation: 'git/create-ref', method: 'POST', path: `${ROOT}/git/refs`, ...WRITING, handle: createRef },
  { operation: 'git/delete-ref', method: 'DELETE', path: `${ROOT}/git/refs/{ref}`, ...WRITING, handle: deleteRef },
  { operation: 'repos/merge', method: 'POST', path: `${ROOT}/merges`, ...WRITING, handle: mergeInto },
];

function readBranch({ state, repository, parameters }: RepositoryRequest): Answer {
  const name = parameters.branch ?? '';
  const sha = repository.frozenTips.get(name) ?? repository.branches.get(name);
  if (sha === undefined) throw notFound('Branch not found');
  return ok(branchShape(state, repository, name, sha));
}

function readRef({ state, repository, parameters }: RepositoryRequest): Answer {
  const ref = `refs/${parameters.ref ?? ''}`;
  const { status, stdout } = attempt(repository.world.bare, ['show-ref', '--verify', '--hash', ref]);
  if (status !== 0) throw notFound();
  return ok(refShape(state, repository, ref, stdout.trim()));
}

function createRef({ state, repository, account, body }: RepositoryRequest): Answer {
  const ref = requiredTextOf(body, 'ref');
  const sha = resolveCommit(repository.world.bare, requiredTextOf(body, 'sha'));
  if (!/^refs\/.+\/?.+/.test(ref)) {
    throw new GitHubRefusal(422, "Reference name must start with 'refs/' and contain at least one slash.");
  }
  if (sha === null) throw new GitHubRefusal(422, 'Object does not exist');
  if (attempt(repository.world.bare, ['show-ref', '--verify', '--quiet', ref]).status === 0) {
    throw new GitHubRefusal(422, 'Reference already exists');
  }
  if (attempt(repository.world.bare, ['check-ref-format', ref]).status !== 0) {
    throw new GitHubRefusal(422, `${ref} is not a valid ref name`);
  }
  obeyRules(pushRefusal(repository, ref, sha, account), 422);
  repository.world.setRef(ref, sha);
  noticeBranches(state, repository, account);
  return created(refShape(state, repository, ref, sha));
}

function deleteRef({ state, repository, account, parameters }: RepositoryRequest): Answer {
  const ref = `refs/${parameters.ref ?? ''}`;
  if (attempt(repository.world.bare, ['show-ref', '--verify', '--quiet', ref]).status !== 0) {
    throw new GitHubRefusal(422, 'Reference does not exist');
  }
  obeyRules(pushRefusal(repository, ref, null, account), 422);
  repository.world.inBare('update-ref', '-d', ref);
  noticeBranches(state, repository, account);
  return NO_CONTENT;
}

function mergeInto({ state, repository, account, body }: RepositoryRequest): Answer {
  const { bare } = repository.world;
  const branch = requiredTextOf(body, 'base');
  const name = requiredTextOf(body, 'head');
  const base = repository.branches.get(branch);
  if (base === undefined) throw notFound('Base does not exist');
  const head = repository.branches.get(name) ?? resolveCommit(bare, name);
  if (head === null) throw notFound('Head does not exist');
  if (isAncestor(bare, head, base)) return NO_CONTENT;
  const who = signatureOf(account, state.now());
  const message = textOf(body, 'commit_message') ?? `Merge ${name} into ${branch}`;
  const commit = mergeCommits({ bare, base, head, method: 'merge', message, author: who, committer: who });
  if (commit === null) throw new GitHubRefusal(409, 'Merge conflict');
  obeyRules(pushRefusal(repository, `refs/heads/${branch}`, commit, account), 409);
  repository.world.inBare('update-ref', `refs/heads/${branch}`, commit, base);
  noticeBranches(state, repository, account);
  return created(commitShape(state, repository, commit));
}

/** Throws the refusal by the push hook. If there are several reasons, the refusal's message is the first reason. */
function obeyRules([, reason]: readonly string[], status: 409 | 422): void {
  if (reason !== undefined) throw new GitHubRefusal(status, reason.replace(/^(error: |- )/, ''));
}
