import { HostUnavailable } from '../../src/domain/code-host.port';
import type { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { MemoryCommit } from '../../src/code-hosts/memory/memory-objects';
import type { RowHost, RowPlace } from './row-host';

export function memoryRowHost(host: MemoryHost): RowHost {
  return {
    ...{ name: 'memory', settings: {}, cannot: {}, hasWebhooks: false },
    createRepository: (owner, name) => memoryPlace(host.repository(owner, name)),
    goDown: () => host.faults.goDown(new HostUnavailable(host.host, 'no_answer', 'The host does not answer.')),
    recover: () => host.faults.recover(),
    unheard: (happen) => happen(),
  };
}

function memoryPlace(place: MemoryRepository): RowPlace {
  return {
    tip: (branch) => place.tip(branch).commit,
    branches: () => [...place.branches.keys()],
    setBranch: (branch, commit) => void place.branches.set(branch, commit),
    pushTo: (branch, files, title) => void place.pushTo(branch, files, title),
    past: (commit) => firstParents(place, commit),
    contentOf: (commit, path) => place.files(commit)[path],
    open: ({ number, ...facts }) => void place.openPullRequest(number, facts),
    headOf: (number) => place.pullRequest(number).head,
    push: (number, files) => void place.pushToPullRequest(number, files),
    close: (number) => void (place.pullRequest(number).state = 'closed'),
    reopen: (number) => void (place.pullRequest(number).state = 'open'),
    merge: (number) => void place.mergeByHand(number),
    remove: (number) => void place.pullRequests.delete(number),
    mention: () => undefined,
    refuse: (number, why) => void (place.pullRequest(number).refusal = why),
    sayMergeability: (number, says) =>
      void (place.pullRequest(number).mergeabilityAnswers =
        says === 'mergeable' ? [] : Array.from({ length: 99 }, () => says)),
  };
}

function firstParents({ objects }: MemoryRepository, commit: string): { commit: string; title: string }[] {
  const past: { commit: string; title: string }[] = [];
  for (let at: MemoryCommit = objects.get(commit); at.parents[0] !== undefined; at = objects.get(at.parents[0]))
    past.unshift({ commit: at.id, title: at.message });
  return past;
}
