import type { CodeHost, HostRepository, PullRequestObservation } from '../../domain/code-host.port';

/** Matches paths of files that define CI, for the code hosts and CI services that teams use. */
const DEFINES_CI =
  /^\.(github|gitea|forgejo)\/(workflows|actions)\/|^\.gitlab-ci\.ya?ml$|^\.gitlab\/ci\/|^\.(circleci|buildkite|woodpecker)\/|^\.woodpecker\.ya?ml$|^azure-pipelines\.ya?ml$|(^|\/)Jenkinsfile$/;
const MOST_FILES = 10_000;
const MOST_PATHS = 20;

/**
 * The files that define CI and that are changed by a pull request of a fork whose author may not write to the
 * repository. If the pull request changes more files than the host lists, the result is one text that says so. Empty if
 * there is no such file, or if the host has no permissions.
 *
 * @throws HostUnavailable
 */
export async function changedWorkflows(
  host: CodeHost,
  repository: HostRepository,
  { head, headBranch, author }: PullRequestObservation,
  base: string | null,
): Promise<readonly string[]> {
  const people = host.conversation?.people;
  const isOfFork = headBranch?.includes(':') === true;
  if (!isOfFork || base === null || people === undefined || host.listChangedFiles === undefined) return [];
  const files = await host.listChangedFiles(repository, { base, head, mostFiles: MOST_FILES });
  const paths =
    typeof files === 'string' ? [`more than ${MOST_FILES} files`] : files.filter((path) => DEFINES_CI.test(path));
  if (files === 'unknown' || paths.length === 0) return [];
  const permission = await people.permissionOf(repository, author);
  return permission === 'admin' || permission === 'write' ? [] : paths.toSorted().slice(0, MOST_PATHS);
}
