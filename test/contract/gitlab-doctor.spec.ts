import type { CodeHost, MergeMethod } from '../../src/domain/code-host.port';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import type { Project } from '../support/gitlab/state';
import { ManualClock } from '../support/manual-clock';
import { checkedByGitLab, connectToGitLab, GITLAB_WIDGETS as repository } from './gitlab-host';

const HOOK = 'https://sluice.example/webhooks/gitlab/gitlab.example';

describe('the doctor on GitLab', () => {
  let double: GitLabDouble;
  let project: Project;
  let host: CodeHost;
  let release: () => void;
  let exchanges: ReturnType<typeof checkedByGitLab>;

  beforeEach(async () => {
    exchanges = checkedByGitLab();
    double = await GitLabDouble.start({ onExchange: exchanges.onExchange });
    project = double.createProject(repository.owner, 'widgets');
    project.protectedBranches.set('main', 40);
    project.hooks = [{ url: HOOK, lastAnswer: '202' }];
    const clock = new ManualClock(new Date('2026-11-23T12:00:00Z'));
    ({ host, release } = connectToGitLab(double, { clock, settings: { webhookSecret: 'a secret' } }));
  });

  afterEach(async () => {
    await double.close();
    release();
    exchanges.assertFits();
  });

  const examine = async (mergeMethod: MergeMethod = 'merge_commit'): Promise<readonly string[]> => {
    const queues = [{ targetBranch: 'main', mergeMethod }];
    const about = { host: repository.host, brand: 'sluice', publicUrl: 'https://sluice.example' };
    const findings = await host.examine?.({ ...about, repositories: [{ repository, queues }] });
    return (findings ?? []).map(({ verdict, what }) => `${verdict}: ${what}`);
  };

  const problems = async (method?: MergeMethod): Promise<readonly string[]> =>
    (await examine(method)).filter((one) => !one.startsWith('ok: ')).map((one) => one.replace('problem: ', ''));

  it('has no finding for a project that is set up by the guide', async () => {
    expect(await problems()).toEqual([]);
    expect(await examine()).toEqual(
      expect.arrayContaining([
        `ok: version 18.5.0; the service is ${double.bot}`,
        'ok: the token expires on 2027-11-01',
        'ok: the service has the role Maintainer',
        `ok: its webhook is ${HOOK}, and the last delivery arrived`,
        'ok: no rule applies to testing branches',
        'ok: the service may push to it',
      ]),
    );
  });

  it('reports a problem if GitLab does not answer', async () => {
    double.faults.goDown();
    expect(await examine()).toContainEqual(expect.stringMatching(/^problem: does not answer: /));
  });

  it('reports what the token lacks, and when it expires', async () => {
    double.state.tokenFacts = { scopes: ['read_api'], expires_at: '2026-12-01' };
    project.members.set(double.bot, 30);
    expect(await problems()).toEqual([
      'the token has the scopes read_api',
      'the token expires on 2026-12-01, and then the service stops working',
      'the service does not have the role Maintainer, so it cannot push to protected branches or read rules',
      'unknown: whether there is a webhook: 403 Forbidden',
      'the service may not push to it, so nothing can be merged',
    ]);
  });

  it('does not hang on a push rule whose expression needs exponential time in JavaScript', async () => {
    project.pushRule = { branch_name_regex: '^(((([a-z0-9/-]+)+)+)+)+!$' };
    expect((await problems()).filter((problem) => problem.includes('push rule'))).toEqual([]);
  });

  it('reports project settings that keep runs from being merged or tested', async () => {
    project.settings = { merge_trains_enabled: true, builds_access_level: 'disabled', merge_pipelines_enabled: true };
    project.protectedBranches.set('*', 40);
    project.pushRule = { reject_unsigned_commits: true, branch_name_regex: '^feature/' };
    expect(await problems('squash')).toEqual([
      'has merge trains: two queues would merge into the same branch',
      'has CI/CD switched off: no pipeline tests its testing branches',
      'a push rule demands signed commits, and the service has no key to sign them',
      'a push rule allows only branches that match ^feature/, and testing branches do not',
      'its queue merges by squash, and GitLab does not mark such merges as merged: the queue accepts no merge requests',
      'the rule "*" also applies to testing branches such as sluice-merge/pr-1/run, so nobody can remove them',
    ]);
    expect(await examine()).toContain(
      'ok: runs merge request pipelines on merged results, which are not the commits that the queue tests',
    );
  });

  it.each([
    [[], `has no webhook to ${HOOK}: changes are found by polling, every 20 s`],
    [[{ alert_status: 'disabled' }], 'GitLab has switched its webhook off after failures'],
    [[{ note_events: false }], 'its webhook does not send Comments'],
    [[{ lastAnswer: 'internal error' }], 'the last delivery of its webhook was answered: internal error'],
  ])('reports why all or some webhook deliveries do not arrive (%j)', async (hooks, what) => {
    project.hooks = hooks.map((hook) => ({ url: HOOK, lastAnswer: '202', ...hook }));
    expect(await problems()).toEqual([what]);
  });
});
