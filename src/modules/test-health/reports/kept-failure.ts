import { beginningOf, cutTo, tailOf } from './limits';
import type { ReportedFailure } from './reported-result';
import { withoutColours } from './varying-parts';
import { withoutSecrets } from './without-secrets';

const MAX_MESSAGE = 2_000;
/** Of a stack: some languages begin with what was raised, others end with it. */
const MAX_BEGINNING = 6_000;
const MAX_END = 2_000;

/** What is shown of a failure to people. */
export interface KeptFailure {
  readonly message: string;
  readonly stack: string;
}

/** A failure as it is stored: without secrets and colours, at most 10,000 characters. */
export function keptFailure({ message, text }: ReportedFailure): KeptFailure {
  // Cut last: half a secret looks like none.
  return { message: cutTo(MAX_MESSAGE, plain(message)), stack: cutInside(plain(text)) };
}

function plain(text: string): string {
  return withoutSecrets(withoutColours(text)).trim();
}

function cutInside(stack: string): string {
  if (stack.length <= MAX_BEGINNING + MAX_END) return stack;
  return `${beginningOf(stack, MAX_BEGINNING)}\n… (cut)\n${tailOf(stack, MAX_END)}`;
}
