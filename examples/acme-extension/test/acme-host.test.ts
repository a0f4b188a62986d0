import { afterEach, beforeEach, describe, it } from 'node:test';
import { expect } from 'expect';
import { HostUnavailable } from '@sluice-queue/sluice';
import { describeCodeHostContract, type HostWorld, SystemClock } from '@sluice-queue/sluice/testing';
import { makeAcmeHost } from '../src/acme-host.adapter';

const repository = { id: '0f8fad5b-d9cb-469f-a165-70867728950e', host: 'acme.example', owner: 'shop', name: 'widgets' };

function acmeWorld(): HostWorld {
  const host = makeAcmeHost({
    host: repository.host,
    pollSeconds: 2,
    owner: repository.owner,
    clock: new SystemClock(),
  });
  const widgets = host.repository(repository.owner, repository.name);
  return {
    host,
    repository,
    openPullRequest: (number, files, from) => widgets.openPullRequest(number, { files, from }),
    pushToPullRequest: (number, changes) => widgets.pushToPullRequest(number, changes),
    pushTo: (branch, changes) => widgets.pushTo(branch, changes),
    setBranch: (branch, commit) => void widgets.branches.set(branch, commit),
    removeBranch: (branch) => void widgets.branches.delete(branch),
    openUnbuildablePullRequest: (number) => widgets.openPullRequest(number, { poison: 'A path in it leads out.' }),
    refuseTestingBranches: () => {
      widgets.pushRule = () => 'There are too many branches.';
      return 'too many branches';
    },
    turn: {
      changeBase: (number, branch) => void (widgets.pullRequest(number).base = branch),
      convertToDraft: (number) => void (widgets.pullRequest(number).draft = true),
      close: (number) => void (widgets.pullRequest(number).state = 'closed'),
    },
    overtakeNextLanding: (branch, commit) =>
      host.faults.beforeNext('land', () => {
        if (commit === null) widgets.branches.delete(branch);
        else widgets.branches.set(branch, commit);
      }),
    branches: () => [...widgets.branches.keys()].sort(),
    files: (commit) => widgets.files(commit),
    goDown: () => host.faults.goDown(new HostUnavailable(repository.host, 'no_answer', 'It does not answer.')),
    recover: () => host.faults.recover(),
    close: () => undefined,
  };
}

describeCodeHostContract("Acme's host", acmeWorld, {
  letterCase: 'ignored',
  runner: { describe, it, beforeEach, afterEach, expect },
});
