import type { Entry, Need, QueueSnapshot } from '../../model';
import { cycleThrough, hasNeedLanded, type LostNeed } from '../../policy/needs';
import { assertNever } from '../../vocabulary';
import type { Quote } from '../../wording/markdown';
import { pullRequests } from '../../wording/words';

/** The problem with a dependency, and a fix. Follows "Missing:". */
export function whatIsNeeded(
  queue: QueueSnapshot,
  entry: Entry,
  { need, because, entry: needed }: LostNeed,
  quote: Quote,
): string {
  if (isBelow(entry, need)) return whatIsBelow(queue, need, because, needed);
  const other = `#${need.number}`;
  const line = quote(`Depends-On: ${other}`);
  const without =
    need.head === null ? `remove ${line} from the description of #${entry.number}` : `push #${entry.number} without it`;
  const subject = `${need.head === null ? 'depends on' : 'contains'} ${other}`;
  switch (because) {
    case 'unknown':
      if (need.base !== undefined)
        return `${subject}, which is for ${quote(need.base)}: only pull requests for ${quote(queue.branch)} count here. Wait until ${other} has merged, then ${without}`;
      return `${subject}, which is not in this queue and not on ${quote(queue.branch)}: submit ${other}, or ${without}`;
    case 'left':
      return `${subject}, which ${needed?.state === 'failed' ? 'failed' : 'was cancelled'}: submit ${other} again, or ${without}`;
    case 'not_ready':
      return `${subject}, which is not ready itself`;
    case 'dry_run':
      return `${subject}, which is a dry run: submit ${other} to be merged, or ${without}`;
    case 'other_head':
      return `contains an earlier head of ${other}: push #${entry.number} again on top of the current head of ${other}, or without ${other}`;
    case 'cycle': {
      const round = cycleThrough(queue, entry);
      const others = round.length > 2 ? ` (${round.map((number) => `#${number}`).join(', ')} need one another)` : '';
      return `${subject}, which needs #${entry.number} itself${others}: remove one ${quote('Depends-On')} line`;
    }
    default:
      return assertNever(because);
  }
}

/** Whether the dependency is the pull request directly below the entry in its stack at the host. */
function isBelow({ pullRequest }: Entry, need: Need): boolean {
  return need.head === null && pullRequest.stack?.below.at(-1) === need.number;
}

function whatIsBelow(
  queue: QueueSnapshot,
  { number }: Need,
  because: LostNeed['because'],
  needed: Entry | null,
): string {
  const above = `is above #${number} in its stack, but #${number}`;
  if (needed?.pullRequest.state === 'closed')
    return `${above} is closed: open #${number} again and submit it, or remove it from the stack`;
  if (because === 'left')
    return `${above} ${needed?.state === 'failed' ? 'failed' : 'was cancelled'}: submit #${number} again`;
  if (because === 'dry_run') return `${above} is a dry run: submit #${number} to be merged`;
  if (because !== 'not_ready') return `${above} is not in this queue: submit #${number}`;
  return `${above} is ${needed?.pullRequest.draft === true ? 'a draft' : 'not ready itself'}`;
}

/** A sentence about the pull requests after or with which an entry lands. Null if all its dependencies have landed. */
export function landsBehind(queue: QueueSnapshot, entry: Entry): string | null {
  const { needs = [], pullRequest } = entry;
  const below = pullRequest.stack?.below ?? [];
  const isStacked = needs.some((need) => isBelow(entry, need) && !hasNeedLanded(queue, need));
  const open = needs.filter((need) => !hasNeedLanded(queue, need) && !below.includes(need.number));
  const contained = numbersOf(open.filter(({ head }) => head !== null));
  const declared = numbersOf(open.filter(({ head, number }) => head === null && !contained.includes(number)));
  const said = [
    ...(isStacked ? [`is above ${pullRequests(below)} in its stack`] : []),
    ...(contained.length === 0 ? [] : [`contains ${pullRequests(contained)} (the commits are in its branch)`]),
    ...(declared.length === 0 ? [] : [`depends on ${pullRequests(declared)}`]),
  ];
  if (said.length === 0) return null;
  return `${said.join(' and ')}: merges after or with ${contained.length + declared.length + (isStacked ? below.length : 0) === 1 ? 'it' : 'them'}`;
}

function numbersOf(needs: readonly Need[]): readonly number[] {
  return needs.map(({ number }) => number);
}
