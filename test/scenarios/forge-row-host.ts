import type { Forge } from '../support/forges';
import { GITEA_FORGE, GITHUB_FORGE, GITLAB_FORGE } from '../support/forges';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { GitLabPlace } from '../support/gitlab/place';
import type { Project } from '../support/gitlab/state';
import type { World } from '../support/world';
import { mergeInGit, placeInGit, refuseToPush } from './git-row-host';
import type { RowHost, RowPlace } from './row-host';

const ADA = 'ada';
const OWN_WORD = 'What may be merged is worked out there, and nobody can say otherwise.';
const ONE_REFUSED = 'It refuses a branch or a push, and not one pull request of several.';
const CANCELLED = 'A cancelled job has failed there.';
const STATUS = { running: 'pending', passed: 'success', failed: 'failure', cancelled: 'failure' } as const;
const ONLY_READ = 'What its webhooks tell of a job is only a reason to read it, which waits for the host.';
const UNREAD = { C09: ONLY_READ, D07: ONLY_READ, E15: ONLY_READ, G25: ONLY_READ };
const WORDLESS = { A17: OWN_WORD, C25: OWN_WORD, C31: OWN_WORD };

export function forgeRowHost(forge: Forge, world: World): RowHost {
  const { faults, webhooks } = forge.at(world);
  return {
    ...{ name: forge.kind, settings: { mergeMethod: 'merge_commit' }, hasWebhooks: true },
    ...OF_KIND[forge.kind](world),
    goDown: () => faults.goDown(),
    recover: () => faults.recover(),
    unheard: (happen) => {
      webhooks.fateOf = () => 'dropped';
      happen();
      webhooks.fateOf = () => 'delivered';
    },
  };
}

const OF_KIND: Record<Forge['kind'], (world: World) => Pick<RowHost, 'cannot' | 'createRepository'>> = {
  github: ({ github }) => ({
    cannot: {
      ...WORDLESS,
      ...{ A11: ONE_REFUSED, E13: ONE_REFUSED, G17: ONE_REFUSED },
      G05: 'A pull request of GitHub cannot be removed.',
    },
    createRepository: (owner, name) => gitHubPlace(github.createRepository(owner, name)),
  }),
  gitea: ({ gitea }) => ({
    cannot: {
      ...WORDLESS,
      ...{ A11: ONE_REFUSED, E13: ONE_REFUSED, G17: ONE_REFUSED, A41: CANCELLED, A45: CANCELLED },
    },
    createRepository: (owner, name) => giteaPlace(gitea.createRepository(owner, name)),
  }),
  gitlab: ({ gitlab }) => ({
    cannot: { ...WORDLESS, ...UNREAD, E13: ONE_REFUSED, A41: CANCELLED, A45: CANCELLED },
    createRepository: (owner, name) => gitLabPlace(gitlab.createProject(owner, name)),
  }),
};

type Said = Pick<RowPlace, 'refuse' | 'sayMergeability'>;

const SAYS_NOTHING: Said = {
  refuse: () => {
    throw new Error(ONE_REFUSED);
  },
  sayMergeability: () => {
    throw new Error(OWN_WORD);
  },
};

/** Actions that work the same on the mocks of GitHub and Gitea. */
function placeOf(place: RepositoryDouble | GiteaRepositoryDouble) {
  return {
    ...placeInGit(place.record.world),
    ...SAYS_NOTHING,
    setBranch: (branch, commit) => place.setBranch(branch, commit),
    pushTo: (branch, files, title) => void place.pushToBranch(branch, files, { title }),
    open: ({ number, base, files }) => void place.openPullRequest(files, { number, base, by: ADA }),
    headOf: (number) => place.headOf(number),
    push: (number, files) => void place.push(number, files),
    close: (number) => place.closePullRequest(number),
    reopen: (number) => place.reopenPullRequest(number),
    mention: (number) => void place.comment(number, 'Well done.'),
  } satisfies Partial<RowPlace>;
}

function gitHubPlace(place: RepositoryDouble): RowPlace {
  place.answerUnknown(0);
  return {
    ...placeOf(place),
    // GitHub never reopens a merged pull request, but its API has wrongly shown merged pull requests as open.
    reopen: (number) => {
      const pull = place.record.pulls.get(number);
      if (pull !== undefined) pull.merged = null;
      place.reopenPullRequest(number);
    },
    merge: (number) => void place.merge(number),
    remove: (number) => void place.record.pulls.delete(number),
    report: (commit, status, state) => void place.setCheckRun(commit, status, CHECK[state]),
  };
}

const CHECK = { running: 'in_progress', passed: 'success', failed: 'failure', cancelled: 'cancelled' } as const;

function giteaPlace(place: GiteaRepositoryDouble): RowPlace {
  place.changePermission(ADA, 'write');
  return {
    ...placeOf(place),
    merge: (number) => place.merge(number, 'merge'),
    remove: (number) => {
      place.closePullRequest(number);
      place.record.pulls.delete(number);
    },
    report: (commit, status, state) => void place.setStatus(commit, status, STATUS[state]),
  };
}

function gitLabPlace(project: Project): RowPlace {
  const { world } = project;
  const place = new GitLabPlace(project);
  const after = (happen: () => void): void => {
    happen();
    project.noticeBranches();
  };
  const turn = (number: number, state: 'opened' | 'closed'): void => {
    const found = project.mergeRequests.get(number);
    if (found !== undefined) project.change(found, { state });
  };
  return {
    ...placeInGit(world),
    ...SAYS_NOTHING,
    setBranch: (branch, commit) => after(() => world.setBranch(branch, commit)),
    pushTo: (branch, files, title) => after(() => world.pushTo(branch, files, title)),
    open: ({ number, base, files }) => void place.openPullRequest(files, { by: ADA, number, base }),
    headOf: (number) => place.headOf(number),
    push: (number, files) =>
      after(() => world.commitTo(`refs/heads/change-${number}`, place.headOf(number), files, { title: 'a change' })),
    close: (number) => turn(number, 'closed'),
    reopen: (number) => turn(number, 'opened'),
    merge: (number) => after(() => world.setBranch('main', mergeInGit(world, place.headOf(number), number))),
    remove: (number) => {
      turn(number, 'closed');
      project.mergeRequests.delete(number);
    },
    mention: (number) => void place.comment(number, 'Well done.', ADA),
    refuse: (number, why) => refuseToPush(world, number, why),
    report: (commit, status, state) => void place.setStatus(commit, status, JOB[state]),
  };
}

const JOB = { running: 'pending', passed: 'success', failed: 'failure', cancelled: 'cancelled' } as const;

/** The row hosts by kind of host. */
export const ROW_FORGES = { github: GITHUB_FORGE, gitea: GITEA_FORGE, gitlab: GITLAB_FORGE } as const;
