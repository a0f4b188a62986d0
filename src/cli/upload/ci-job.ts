import { readFileSync } from 'node:fs';
import type { Environment } from '../../platform/config/environment';
import type { RepositoryName } from '../../platform/repository-name';
import { machineConditions } from './ci-conditions';
import { repositoryAt, repositoryOfRemote } from './remote-address';

/** The facts that a CI system gives its job. Git supplies some of the missing facts. */
export interface CiJob {
  readonly ci: string;
  readonly repository?: RepositoryName;
  readonly commit?: string;
  readonly branch?: string;
  readonly pullRequest?: number;
  readonly address?: string;
  /**
   * The name of the job: the same in each run of the job, and different for each job that runs the same tests on other
   * machines.
   */
  readonly name?: string;
  /** The share of the job's tests that this machine runs: `2/4`. */
  readonly shard?: string;
  /**
   * The execution of the job. It stays the same when a step is repeated, and changes when the job is repeated or runs
   * on another machine.
   */
  readonly execution?: string;
  /**
   * The attempt of the whole CI run, if CI distinguishes attempts. All jobs of a matrix with one name have the same
   * attempt, so the service can see that they are not attempts of each other.
   */
  readonly attempt?: string;
  /** Properties of the machine: see `machineConditions`. */
  readonly conditions?: string;
}

const MOST_NAME_CHARACTERS = 255;

/** The current CI job; undefined outside known CI systems. */
export function ciJobOf(env: Environment): CiJob | undefined {
  const job = jobOf(env);
  return job && withoutEmpty({ ...job, conditions: machineConditions(env) });
}

function jobOf(env: Environment): CiJob | undefined {
  // Gitea and Forgejo also set GitHub's variables.
  if (env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true') return giteaActions(env);
  if (env.GITHUB_ACTIONS === 'true') return gitHubActions(env);
  if (env.CI === 'woodpecker') return woodpecker(env);
  if (env.GITLAB_CI) return gitLab(env);
  if (env.BUILDKITE === 'true') return buildkite(env);
  if (env.CIRCLECI === 'true') return circleCi(env);
  if (env.JENKINS_URL || env.BUILD_TAG?.startsWith('jenkins-')) return jenkins(env);
  return undefined;
}

function gitHubActions(env: Environment): CiJob {
  const { GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: path = '', GITHUB_RUN_ID: run } = env;
  const attempt = env.GITHUB_RUN_ATTEMPT || '1';
  const isBranch = env.GITHUB_REF?.startsWith('refs/heads/');
  return {
    ci: 'GitHub Actions',
    repository: URL.canParse(server) ? repositoryAt(new URL(server).host, path) : undefined,
    commit: env.GITHUB_SHA,
    // For a pull request the ref holds its number, and another variable holds the branch.
    branch: env.GITHUB_HEAD_REF || (isBranch ? env.GITHUB_REF_NAME : undefined),
    pullRequest: numberOf(/^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1]) ?? numberOfEvent(env),
    address: run && path && `${server}/${path}/actions/runs/${run}/attempts/${attempt}`,
    // No variable holds the values of a matrix. The operating system and architecture of the runner distinguish the
    // jobs of the usual matrices.
    name: nameOf(env.GITHUB_WORKFLOW, `${env.GITHUB_JOB ?? ''} (${env.RUNNER_OS ?? ''} ${env.RUNNER_ARCH ?? ''})`),
    // The jobs of a matrix have the same variables except the name of the runner.
    execution: executionOf(run, attempt, env.GITHUB_JOB, env.RUNNER_NAME),
    attempt: run && `${run}/${attempt}`,
  };
}

/** URLs of runs have the number of the run in the repository, and no attempt. */
function giteaActions(env: Environment): CiJob {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path, GITHUB_RUN_NUMBER: run } = env;
  const isForgejo = env.FORGEJO_ACTIONS === 'true';
  return {
    ...gitHubActions(env),
    ci: isForgejo ? 'Forgejo Actions' : 'Gitea Actions',
    address: server && path && run && `${server}/${path}/actions/runs/${run}`,
  };
}

function woodpecker(env: Environment): CiJob {
  const { CI_FORGE_URL: forge = '', CI_REPO: path = '', CI_COMMIT_PULL_REQUEST: number } = env;
  return {
    ci: 'Woodpecker',
    repository: URL.canParse(forge) ? repositoryAt(new URL(forge).host, path) : undefined,
    commit: env.CI_COMMIT_SHA,
    // For a pull request, CI_COMMIT_BRANCH is the target branch.
    branch: env.CI_COMMIT_SOURCE_BRANCH || (number ? undefined : env.CI_COMMIT_BRANCH),
    pullRequest: numberOf(number),
    address: env.CI_PIPELINE_URL,
    name: nameOf(env.CI_WORKFLOW_NAME, env.CI_STEP_NAME),
    execution: executionOf(env.CI_PIPELINE_NUMBER, env.CI_WORKFLOW_NUMBER, env.CI_STEP_NAME),
    // A restarted pipeline has a new number.
    attempt: env.CI_PIPELINE_NUMBER,
  };
}

/**
 * The option to add if jobs of a matrix have one name. Actions of GitHub, Gitea and Forgejo replace the expression by
 * the values of the matrix; on other CI systems, the user's own variables have these values.
 */
export function nameOption(env: Environment): string {
  const isActions = env.GITHUB_ACTIONS === 'true' || env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true';
  const job = env.GITHUB_JOB || 'test';
  return isActions ? `--job "${job} (\${{ join(matrix.*, ', ') }})"` : '--job "test (<values of the matrix>)"';
}

/**
 * Reads the number from the event's file, because for some events, such as pull_request_target, the ref does not
 * contain the number.
 */
function numberOfEvent({ GITHUB_EVENT_PATH: path }: Environment): number | undefined {
  if (!path) return undefined;
  try {
    const event = JSON.parse(readFileSync(path, 'utf8')) as { pull_request?: { number?: unknown } };
    const number = event.pull_request?.number;
    return typeof number === 'number' ? number : undefined;
  } catch {
    return undefined;
  }
}

/** GitLab 16.10 and later have a variable with the host and port. */
function gitLab(env: Environment): CiJob {
  return {
    ci: 'GitLab CI',
    repository: repositoryAt(env.CI_SERVER_FQDN || env.CI_SERVER_HOST || '', env.CI_PROJECT_PATH ?? ''),
    commit: env.CI_COMMIT_SHA,
    branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_BRANCH,
    pullRequest: numberOf(env.CI_MERGE_REQUEST_IID),
    address: env.CI_JOB_URL,
    ...gitLabNames(env),
    execution: executionOf(env.CI_JOB_ID),
    // GitLab does not count the attempts of a pipeline. The names of jobs contain the values of their matrix.
    attempt: env.CI_JOB_ID,
  };
}

function buildkite(env: Environment): CiJob {
  const { BUILDKITE_BUILD_URL: build, BUILDKITE_JOB_ID: job } = env;
  // The label may hold the values of a matrix, or the index of a parallel job.
  const { BUILDKITE_LABEL: label, BUILDKITE_STEP_KEY: key } = env;
  const shard = shardOf(env.BUILDKITE_PARALLEL_JOB, env.BUILDKITE_PARALLEL_JOB_COUNT);
  return {
    ci: 'Buildkite',
    repository: repositoryOfRemote(env.BUILDKITE_REPO ?? ''),
    commit: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
    branch: env.BUILDKITE_BRANCH,
    pullRequest: numberOf(env.BUILDKITE_PULL_REQUEST),
    address: build && job && `${build}#${job}`,
    name: nameOf(env.BUILDKITE_PIPELINE_SLUG, shard === undefined ? label || key : key || label),
    shard,
    execution: executionOf(job, env.BUILDKITE_RETRY_COUNT),
    // Each job of a matrix, and each parallel job, has its own id. The label may be the same for all of them.
    attempt: env.BUILDKITE_BUILD_ID ? `${env.BUILDKITE_BUILD_ID}/${env.BUILDKITE_RETRY_COUNT || '0'}` : job,
  };
}

function circleCi(env: Environment): CiJob {
  return {
    ci: 'CircleCI',
    repository: repositoryOfRemote(env.CIRCLE_REPOSITORY_URL ?? ''),
    commit: env.CIRCLE_SHA1,
    branch: env.CIRCLE_BRANCH,
    pullRequest: numberOf(env.CIRCLE_PR_NUMBER || /\/(\d+)$/.exec(env.CIRCLE_PULL_REQUEST ?? '')?.[1]),
    address: env.CIRCLE_BUILD_URL,
    name: env.CIRCLE_JOB,
    shard: shardOf(env.CIRCLE_NODE_INDEX, env.CIRCLE_NODE_TOTAL),
    execution: executionOf(env.CIRCLE_WORKFLOW_JOB_ID || env.CIRCLE_BUILD_URL, env.CIRCLE_NODE_INDEX),
    // A restarted workflow has a new id.
    attempt: env.CIRCLE_WORKFLOW_ID || env.CIRCLE_WORKFLOW_JOB_ID,
  };
}

function jenkins(env: Environment): CiJob {
  const { CHANGE_ID: change } = env;
  return {
    ci: 'Jenkins',
    repository: repositoryOfRemote(env.GIT_URL || env.GIT_URL_1 || ''),
    commit: env.GIT_COMMIT,
    branch: env.CHANGE_BRANCH || (change ? undefined : env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, '')),
    pullRequest: numberOf(change),
    address: env.BUILD_URL,
    // In a multibranch pipeline, the last part of the job's name is the branch.
    name: nameOf(env.BRANCH_NAME ? env.JOB_NAME?.replace(/\/[^/]*$/, '') : env.JOB_NAME, env.STAGE_NAME),
    execution: executionOf(env.BUILD_TAG || env.BUILD_URL, env.NODE_NAME, env.EXECUTOR_NUMBER),
    attempt: env.BUILD_TAG || env.BUILD_URL,
  };
}

/** The name of a parallel job ends with its share: `test 2/4`. The name of a matrix job ends with its values. */
function gitLabNames({ CI_JOB_NAME: name = '' }: Environment): Pick<CiJob, 'name' | 'shard'> {
  const [, plain = name, shard] = /^(.*) (\d+\/\d+)$/.exec(name) ?? [];
  return { name: plain, shard };
}

/** @param index counts from 0 */
function shardOf(index: string | undefined, total: string | undefined): string | undefined {
  return index !== undefined && Number(total) > 1 ? `${Number(index) + 1}/${total}` : undefined;
}

function nameOf(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' / ').slice(0, MOST_NAME_CHARACTERS);
}

function executionOf(id: string | undefined, ...others: readonly (string | undefined)[]): string | undefined {
  return id ? [id, ...others].join('/') : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
}

function withoutEmpty(job: CiJob): CiJob {
  return Object.fromEntries(
    Object.entries(job).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as CiJob;
}
