import { HostUnavailable } from '../../domain/code-host.port';
import type { StartTestRun } from '../../engine/commands';
import type { NotStarted } from '../../engine/events';
import type { Clock } from '../../platform/clock/clock';
import type { TaskContext } from '../task';

/** Why nothing can be built on the base of the order any more; null when it can. */
export function lookAtBase(task: TaskContext<StartTestRun>, clock: Clock): Promise<NotStarted | null> {
  return task.command.keepsBase ? lookForKeptBase(task) : lookAtTarget(task, clock);
}

async function lookAtTarget(
  { command, host, repository, targetBranch }: TaskContext<StartTestRun>,
  clock: Clock,
): Promise<NotStarted | null> {
  const seenAt = clock.now().getTime();
  const tip = await host.readBranch(repository, targetBranch);
  // Nobody's entry is to blame for that: the queue waits until the branch is there again.
  if (!tip) throw new HostUnavailable(repository.host, 'no_answer', `The branch ${targetBranch} is not there.`);
  const isExpected = tip.commit === command.target.commit || tip.tree === command.landingTree;
  return isExpected ? null : { type: 'target_moved', tip, seenAt };
}

/** The target may have moved on from the base of a culprit search, or been forced away: then only a clone has it. */
async function lookForKeptBase({ command, host, repository }: TaskContext<StartTestRun>): Promise<NotStarted | null> {
  const tree = await host.readTree(repository, command.target.commit);
  return tree === null ? { type: 'base_gone' } : null;
}
