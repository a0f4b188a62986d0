import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ciJobOf, nameOption } from './ci-job';

const COMMIT = 'a'.repeat(40);

const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/widgets',
  GITHUB_SHA: COMMIT,
  GITHUB_RUN_ID: '77',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_WORKFLOW: 'CI',
  GITHUB_JOB: 'test',
  RUNNER_OS: 'Linux',
  RUNNER_ARCH: 'X64',
  RUNNER_NAME: 'GitHub Actions 5',
};

describe('a CI job', () => {
  it.each([
    [
      'a branch on GitHub Actions',
      {
        ...GITHUB,
        GITHUB_REF: 'refs/heads/sluice-merge/pr-7/1',
        GITHUB_REF_NAME: 'sluice-merge/pr-7/1',
        GITHUB_HEAD_REF: '',
      },
      {
        ci: 'GitHub Actions',
        repository: { host: 'github.com', owner: 'acme', name: 'widgets' },
        commit: COMMIT,
        branch: 'sluice-merge/pr-7/1',
        address: 'https://github.com/acme/widgets/actions/runs/77/attempts/2',
        name: 'CI / test (Linux X64)',
        execution: '77/2/test/GitHub Actions 5',
        attempt: '77/2',
      },
    ],
    [
      'a pull request on GitHub Actions',
      { ...GITHUB, GITHUB_REF: 'refs/pull/7/merge', GITHUB_REF_NAME: '7/merge', GITHUB_HEAD_REF: 'feature' },
      { branch: 'feature', pullRequest: 7 },
    ],
    ['a tag on GitHub Actions', { ...GITHUB, GITHUB_REF: 'refs/tags/v1', GITHUB_REF_NAME: 'v1' }, { commit: COMMIT }],
    [
      'a testing pull request on Gitea Actions',
      {
        ...GITHUB,
        GITEA_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://git.acme.example',
        GITHUB_RUN_NUMBER: '5',
        GITHUB_REF: 'refs/pull/8/head',
        GITHUB_REF_NAME: '8/head',
        GITHUB_HEAD_REF: 'sluice-merge/pr-7/1',
      },
      {
        ci: 'Gitea Actions',
        repository: { host: 'git.acme.example', owner: 'acme', name: 'widgets' },
        commit: COMMIT,
        branch: 'sluice-merge/pr-7/1',
        pullRequest: 8,
        address: 'https://git.acme.example/acme/widgets/actions/runs/5',
        name: 'CI / test (Linux X64)',
        attempt: '77/2',
      },
    ],
    [
      'a pull request on Woodpecker, whose branch is the target',
      {
        CI: 'woodpecker',
        CI_FORGE_URL: 'https://git.acme.example',
        CI_REPO: 'acme/widgets',
        CI_COMMIT_SHA: COMMIT,
        CI_COMMIT_BRANCH: 'main',
        CI_COMMIT_SOURCE_BRANCH: 'sluice-merge/pr-7/1',
        CI_COMMIT_PULL_REQUEST: '8',
        CI_PIPELINE_NUMBER: '21',
        CI_WORKFLOW_NUMBER: '1',
        CI_WORKFLOW_NAME: 'tests',
        CI_STEP_NAME: 'unit',
        CI_PIPELINE_URL: 'https://ci.acme.example/repos/1/pipeline/21',
      },
      {
        ci: 'Woodpecker',
        repository: { host: 'git.acme.example', owner: 'acme', name: 'widgets' },
        commit: COMMIT,
        branch: 'sluice-merge/pr-7/1',
        pullRequest: 8,
        address: 'https://ci.acme.example/repos/1/pipeline/21',
        name: 'tests / unit',
        execution: '21/1/unit',
        attempt: '21',
      },
    ],
    ['a push on Woodpecker', { CI: 'woodpecker', CI_COMMIT_BRANCH: 'main' }, { branch: 'main' }],
    [
      'a merge request on GitLab',
      {
        GITLAB_CI: 'true',
        CI_SERVER_HOST: 'gitlab.example',
        CI_PROJECT_PATH: 'acme/tools/widgets',
        CI_COMMIT_SHA: COMMIT,
        CI_MERGE_REQUEST_IID: '12',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
        CI_JOB_URL: 'https://gitlab.example/jobs/5',
        CI_JOB_ID: '5',
        CI_JOB_NAME: 'unit: [linux, 20]',
      },
      {
        ci: 'GitLab CI',
        repository: { host: 'gitlab.example', owner: 'acme/tools', name: 'widgets' },
        commit: COMMIT,
        branch: 'feature',
        pullRequest: 12,
        address: 'https://gitlab.example/jobs/5',
        name: 'unit: [linux, 20]',
        execution: '5',
        attempt: '5',
      },
    ],
    [
      'a testing branch on a GitLab of another port',
      {
        ...{ GITLAB_CI: 'true', CI_SERVER_HOST: 'gitlab.example', CI_SERVER_FQDN: 'gitlab.example:8443' },
        ...{ CI_PROJECT_PATH: 'acme/widgets', CI_COMMIT_SHA: COMMIT, CI_COMMIT_BRANCH: 'sluice-merge/pr-7/a' },
      },
      {
        repository: { host: 'gitlab.example:8443', owner: 'acme', name: 'widgets' },
        ...{ commit: COMMIT, branch: 'sluice-merge/pr-7/a' },
      },
    ],
    [
      'a parallel job on GitLab',
      { GITLAB_CI: 'true', CI_JOB_NAME: 'unit 2/4', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' },
      { name: 'unit', shard: '2/4' },
    ],
    [
      'a pull request on Jenkins',
      {
        JENKINS_URL: 'https://jenkins.example/',
        GIT_URL: 'git@github.com:acme/widgets.git',
        GIT_COMMIT: COMMIT,
        BRANCH_NAME: 'PR-9',
        JOB_NAME: 'acme/widgets/PR-9',
        STAGE_NAME: 'Unit tests',
        CHANGE_ID: '9',
        CHANGE_BRANCH: 'feature',
        BUILD_URL: 'https://jenkins.example/job/7/',
        BUILD_TAG: 'jenkins-widgets-7',
        NODE_NAME: 'built-in',
        EXECUTOR_NUMBER: '1',
      },
      {
        ci: 'Jenkins',
        repository: { host: 'github.com', owner: 'acme', name: 'widgets' },
        branch: 'feature',
        pullRequest: 9,
        name: 'acme/widgets / Unit tests',
        execution: 'jenkins-widgets-7/built-in/1',
        attempt: 'jenkins-widgets-7',
      },
    ],
    [
      'a branch on Jenkins',
      { BUILD_TAG: 'jenkins-w-7', GIT_BRANCH: 'origin/main', JOB_NAME: 'widgets' },
      { ci: 'Jenkins', branch: 'main', name: 'widgets' },
    ],
    [
      'a branch on Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_REPO: 'ssh://git@git.example:2222/acme/widgets.git',
        BUILDKITE_COMMIT: 'HEAD',
        BUILDKITE_BRANCH: 'main',
        BUILDKITE_PULL_REQUEST: 'false',
        BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/1',
        BUILDKITE_JOB_ID: 'j1',
        BUILDKITE_BUILD_ID: 'b1',
        BUILDKITE_RETRY_COUNT: '0',
        BUILDKITE_PIPELINE_SLUG: 'widgets',
        BUILDKITE_LABEL: 'Unit 20',
        BUILDKITE_STEP_KEY: 'unit',
      },
      {
        ci: 'Buildkite',
        repository: { host: 'git.example', owner: 'acme', name: 'widgets' },
        branch: 'main',
        address: 'https://buildkite.com/acme/1#j1',
        name: 'widgets / Unit 20',
        execution: 'j1/0',
        attempt: 'b1/0',
      },
    ],
    [
      'a parallel job on Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_LABEL: 'Unit 3',
        BUILDKITE_STEP_KEY: 'unit',
        BUILDKITE_PARALLEL_JOB: '3',
        BUILDKITE_PARALLEL_JOB_COUNT: '4',
      },
      { name: 'unit', shard: '4/4' },
    ],
    [
      'a pull request on CircleCI',
      {
        CIRCLECI: 'true',
        CIRCLE_REPOSITORY_URL: 'https://github.com/acme/widgets',
        CIRCLE_SHA1: COMMIT,
        CIRCLE_BRANCH: 'pull/3',
        CIRCLE_PULL_REQUEST: 'https://github.com/acme/widgets/pull/3',
        CIRCLE_BUILD_URL: 'https://circleci.com/b/1',
        CIRCLE_WORKFLOW_JOB_ID: 'w1',
        CIRCLE_WORKFLOW_ID: 'flow',
        CIRCLE_NODE_INDEX: '2',
        CIRCLE_NODE_TOTAL: '3',
        CIRCLE_JOB: 'unit',
      },
      {
        ci: 'CircleCI',
        commit: COMMIT,
        name: 'unit',
        shard: '3/3',
        pullRequest: 3,
        address: 'https://circleci.com/b/1',
        execution: 'w1/2',
        attempt: 'flow',
      },
    ],
  ])('is recognized on %s', (_, env, job) => {
    expect(ciJobOf(env)).toMatchObject(job);
    expect(Object.values(ciJobOf(env) ?? {})).not.toContain('');
  });

  it('has a --job option that names each job of a matrix; on GitHub an expression inserts the matrix values', () => {
    expect(nameOption(GITHUB)).toBe(`--job "test (\${{ join(matrix.*, ', ') }})"`);
    expect(nameOption({ GITLAB_CI: 'true' })).toBe('--job "test (<values of the matrix>)"');
  });

  it('does not take a tag, a merge commit or HEAD for a branch or a commit', () => {
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/tags/v1', GITHUB_REF_NAME: 'v1' })).not.toHaveProperty('branch');
    expect(ciJobOf({ BUILDKITE: 'true', BUILDKITE_COMMIT: 'HEAD' })).not.toHaveProperty('commit');
    expect(ciJobOf({ BUILDKITE: 'true', BUILDKITE_PULL_REQUEST: 'false' })).not.toHaveProperty('pullRequest');
  });

  it('has the pull request number from the event file if GITHUB_REF is the target branch', () => {
    const folder = mkdtempSync(join(tmpdir(), 'event-'));
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify({ pull_request: { number: 31 } }));
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: path })).toMatchObject({
      pullRequest: 31,
    });
    rmSync(folder, { recursive: true });
    expect(ciJobOf({ ...GITHUB, GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: path })).not.toHaveProperty(
      'pullRequest',
    );
  });

  it('is undefined outside CI', () => {
    expect(ciJobOf({ CI: 'true', PATH: '/bin' })).toBeUndefined();
  });
});
