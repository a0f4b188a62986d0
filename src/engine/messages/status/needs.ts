import type { Entry, Need, QueueSnapshot } from '../../model';
import { cycleThrough, hasNeedLanded, type LostNeed } from '../../policy/needs';
import { assertNever } from '../../vocabulary';
import type { Quote } from '../markdown';
import { pullRequests } from '../words';

/** What is missing of one that it needs, and the way out. Follows "Missing:". */
export function whatIsNeeded(
  queue: QueueSnapshot,
  entry: Entry,
  { need, because, entry: needed }: LostNeed,
  quote: Quote,
): string {
  const other = `#${need.number}`;
  const line = quote(`Depends-On: ${other}`);
  const without = need.head === null ? `take ${line} out of its description` : `push #${entry.number} without it`;
  const subject = `${need.head === null ? 'depends on' : 'contains'} ${other}`;
  switch (because) {
    case 'unknown':
      if (need.base !== undefined)
        return `${subject}, which is for ${quote(need.base)}: only pull requests for ${quote(queue.branch)} count here. Wait until it has merged, then ${without}`;
      return `${subject}, which is neither in this queue nor on ${quote(queue.branch)}: submit ${other}, or ${without}`;
    case 'left':
      return `${subject}, which ${needed?.state === 'failed' ? 'failed' : 'was cancelled'}: submit ${other} again, or ${without}`;
    case 'not_ready':
      return `${subject}, which is not ready itself`;
    case 'dry_run':
      return `${subject}, which is a dry run: submit ${other} to be merged, or ${without}`;
    case 'other_head':
      return `contains an earlier head of ${other}: push #${entry.number} again on top of what ${other} is now, or without it`;
    case 'cycle': {
      const round = cycleThrough(queue, entry);
      const others = round.length > 2 ? ` (${round.map((number) => `#${number}`).join(', ')} need one another)` : '';
      return `${subject}, which needs #${entry.number} itself${others}: take one ${quote('Depends-On')} line out`;
    }
    default:
      return assertNever(because);
  }
}

/** Of one that waits or is tested: what it lands after or with. Null: nothing that is still to land. */
export function landsBehind(queue: QueueSnapshot, { needs = [] }: Entry): string | null {
  const open = needs.filter((need) => !hasNeedLanded(queue, need));
  const contained = numbersOf(open.filter(({ head }) => head !== null));
  const declared = numbersOf(open.filter(({ head, number }) => head === null && !contained.includes(number)));
  const said = [
    ...(contained.length === 0 ? [] : [`contains ${pullRequests(contained)} (the commits are in its branch)`]),
    ...(declared.length === 0 ? [] : [`depends on ${pullRequests(declared)}`]),
  ];
  if (said.length === 0) return null;
  return `${said.join(' and ')}: merges after or with ${contained.length + declared.length === 1 ? 'it' : 'them'}`;
}

function numbersOf(needs: readonly Need[]): readonly number[] {
  return needs.map(({ number }) => number);
}
