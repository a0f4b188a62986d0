import type { HostRepository } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { at, listAt, numberAt, textAt, unreadable } from '../../reading';

const ROUTE = 'GET /repos/{owner}/{repo}/stacks/{stack_number}';

/** A pull request in one of GitHub's own stacks. */
export interface Layer {
  readonly number: number;
  readonly head: string;
  readonly isOpen: boolean;
  readonly draft: boolean;
}

/** The number of the pull request's stack; null if it is in no stack. */
export function stackIn(pullRequest: unknown): number | null {
  return numberAt(pullRequest, 'stack', 'number');
}

/**
 * The branch into which a pull request merges. For a pull request in a stack, GitHub shows that branch separately,
 * because the pull request's own base is the branch below.
 */
export function baseIn(pullRequest: unknown): string | null {
  return textAt(pullRequest, 'stack', 'base', 'ref') ?? textAt(pullRequest, 'base', 'ref');
}

/** The layers that have not merged, the lowest first; null if the stack no longer exists. */
export async function readLayers(
  api: GitHubApi,
  repository: HostRepository,
  stack: number,
): Promise<readonly Layer[] | null> {
  const answer = await api.read(repository, ROUTE, { stack_number: stack });
  if (answer === null) return null;
  return listAt(answer.body, 'pull_requests')
    .filter((one) => textAt(one, 'merged_at') === null)
    .map((one) => {
      const [number, head] = [numberAt(one, 'number'), textAt(one, 'head', 'sha')];
      if (number === null || head === null) throw unreadable(api.host, `the stack ${stack}`);
      return { number, head, isOpen: textAt(one, 'state') === 'open', draft: at(one, 'draft') === true };
    });
}

/**
 * The layers below a pull request. @throws HostUnavailable, if the pull request is no longer in the stack: a later read
 * finds its present state.
 */
export async function readLayersBelow(
  api: GitHubApi,
  repository: HostRepository,
  pullRequest: unknown,
  number: number,
): Promise<readonly Layer[]> {
  const stack = stackIn(pullRequest);
  if (stack === null || numberAt(pullRequest, 'stack', 'position') === 1) return [];
  const layers = await readLayers(api, repository, stack);
  const position = layers?.findIndex((layer) => layer.number === number) ?? -1;
  if (layers === null || position < 0) throw unreadable(api.host, `the stack of #${number}`);
  return layers.slice(0, position);
}
