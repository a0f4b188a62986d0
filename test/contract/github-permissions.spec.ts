import { APP_EVENTS, APP_PERMISSIONS } from '../../src/code-hosts/github/app-permissions';
import type { CodeHost, PushOutcome } from '../../src/domain/code-host.port';
import { GitHubDouble, USUAL_PERMISSIONS } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { connectTo, GITHUB_HOST, GITHUB_WIDGETS } from './github-host';

const RUN = '3c9f4f3e-8f0e-4f7f-9d52-7a1f0c6d9b11';
const BRANCH = `sluice-merge/pr-1/${RUN}`;
const WORKFLOW = '.github/workflows/ci.yml';

describe('the requested permissions of the GitHub app', () => {
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let host: CodeHost;
  let release: () => void;
  let grant: (permission: string, level: 'none' | 'read' | 'write') => void;

  beforeEach(async () => {
    github = await GitHubDouble.start();
    github.webhooks.deliverToNobody();
    repository = github.createRepository('acme', 'widgets');
    repository.answerUnknown(0);
    const connection = connectTo(github);
    ({ host, release } = connection);
    // Grants a permission, as the delivery about new permissions does: an existing token keeps its old permissions.
    grant = (permission, level) => {
      github.setPermission('acme', permission, level);
      connection.hosts.get(GITHUB_HOST)?.api.credentials.forgetInstallations();
    };
  });

  afterEach(async () => {
    await github.close();
    release();
  });

  const page = () => host.conversation!;
  const push = async (commit: string): Promise<PushOutcome> => {
    await host.readTree(GITHUB_WIDGETS, commit);
    const request = { repository: GITHUB_WIDGETS, branch: BRANCH, commit, testRunId: RUN, requiredStatuses: [] };
    return host.pushTestingBranch(request);
  };
  const openDraft = () =>
    page().openTestingPullRequest(GITHUB_WIDGETS, { branch: BRANCH, targetBranch: 'main', title: 'Test', body: '' });

  /**
   * For each permission, the operations that need it and fail with a lower level. Each operation returns whether it
   * worked.
   */
  const WORKS: Readonly<Record<string, Readonly<Record<string, () => Promise<boolean>>>>> = {
    contents: {
      'branches are read': async () => (await host.readBranch(GITHUB_WIDGETS, 'main')) !== null,
      'testing branches are pushed': async () => {
        await push(repository.tip('change-1'));
        return repository.branches().includes(BRANCH);
      },
    },
    pull_requests: {
      'pull requests are read': async () => (await host.readPullRequest(GITHUB_WIDGETS, 1, 'main')) !== null,
      'drafts are opened': async () => {
        repository.setBranch(BRANCH, repository.tip('change-1'));
        await openDraft();
        return repository.pullRequest(2).draft;
      },
    },
    checks: {
      'check runs are seen': async () =>
        (await host.readStatuses(GITHUB_WIDGETS, repository.tip('change-1'))).length > 0,
    },
    actions: {
      'a job that a newer run of its workflow cancelled does not count': async () => {
        const sha = repository.tip('change-1');
        const [cancelled] = ['push', 'pull_request'].map((event) =>
          repository.startWorkflow(sha, WORKFLOW, event).addJob('lint', event === 'push' ? 'cancelled' : 'success'),
        );
        const reports = await host.readStatuses(GITHUB_WIDGETS, sha);
        return reports.find(({ job }) => job === String(cancelled?.id))?.state === 'superseded';
      },
      'what runs for a testing branch is stopped': async () => {
        repository.pushToBranch(BRANCH, { 't.txt': 't\n' });
        const commit = repository.tip(BRANCH);
        const job = repository.startWorkflow(commit, WORKFLOW, 'push').addJob('lint', 'in_progress');
        await host.stopJobs?.(GITHUB_WIDGETS, { branch: BRANCH, commit });
        return job.conclusion === 'cancelled';
      },
    },
    statuses: {
      'statuses are seen': async () => (await host.readStatuses(GITHUB_WIDGETS, repository.tip('change-1'))).length > 0,
      'statuses are shown': async () => {
        const head = repository.tip('change-1');
        await page().showStatus(GITHUB_WIDGETS, head, { name: 'queue', state: 'pending', description: '', url: null });
        return repository.status(head, 'queue') !== undefined;
      },
    },
    issues: {
      'GitHub tells of comments': () => {
        const before = github.webhooks.deliveries.length;
        repository.comment(1, 'hello');
        return Promise.resolve(github.webhooks.deliveries.length > before);
      },
      'comments get a reaction': async () => {
        const { id, reactions } = repository.comment(1, 'hello');
        await page().react(GITHUB_WIDGETS, 1, String(id), '+1');
        return reactions.length > 0;
      },
    },
    workflows: {
      'changed workflows are pushed': async () => {
        repository.pushToBranch('candidate', { [WORKFLOW]: 'on: push\n' });
        const commit = repository.tip('candidate');
        await host.readTree(GITHUB_WIDGETS, commit);
        repository.removeBranch('candidate');
        await push(commit);
        return repository.branches().includes(BRANCH);
      },
    },
  };

  const READ_IS_ENOUGH = [
    ...['branches are read', 'pull requests are read', 'check runs are seen', 'statuses are seen'],
    'a job that a newer run of its workflow cancelled does not count',
    'GitHub tells of comments',
  ];

  const CASES = Object.entries(WORKS).flatMap(([permission, works]) =>
    Object.keys(works).map((name) => [name, permission]),
  );

  it('each have an example in this spec, except for the one that GitHub gives to every app', () => {
    expect(['metadata', ...Object.keys(WORKS)].sort()).toEqual(APP_PERMISSIONS.map(({ name }) => name).sort());
  });

  it('are write permissions only if read access is not enough', () => {
    const needed = Object.entries(WORKS).map(([name, works]) => {
      const isRead = Object.keys(works).every((work) => READ_IS_ENOUGH.includes(work));
      return [name, isRead ? 'read' : 'write'];
    });
    expect(USUAL_PERMISSIONS).toEqual({ metadata: 'read', ...Object.fromEntries(needed) });
  });

  it('include the permission that GitHub requires for each event to which the app subscribes', () => {
    const granted = APP_PERMISSIONS.map(({ name }) => name);
    expect(APP_EVENTS.filter(({ needs }) => !granted.includes(needs))).toEqual([]);
  });

  it.each(CASES)('are the least that is enough to: %s (%s)', async (name, permission) => {
    const work = () => WORKS[permission]![name]!().catch(() => false);
    repository.openPullRequest({ 'b.txt': 'b\n' });
    repository.setStatus(repository.tip('change-1'), 'ci', 'success');
    repository.setCheckRun(repository.tip('change-1'), 'ci', 'success');
    grant(permission, READ_IS_ENOUGH.includes(name) ? 'none' : 'read');
    expect(await work()).toBe(false);
    grant(permission, READ_IS_ENOUGH.includes(name) ? 'read' : 'write');
    expect(await work()).toBe(true);
  });

  it("attack 13: do not cover changed workflows, and the refusal of such a branch has GitHub's own words", async () => {
    repository.pushToBranch('candidate', { [WORKFLOW]: 'on: push\n' });
    const commit = repository.tip('candidate');
    await host.readTree(GITHUB_WIDGETS, commit);
    repository.removeBranch('candidate');
    grant('workflows', 'read');
    const why = expect.stringContaining('refusing to allow a GitHub App to create or update workflow') as string;
    expect(await push(commit)).toEqual({ type: 'refused', why });
  });
});
