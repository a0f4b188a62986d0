import { beginningOf, cutTo, tailOf } from './limits';
import type { ReportedFailure } from './reported-result';
import { withoutColours } from './varying-parts';
import { withoutSecrets } from './without-secrets';

const MAX_MESSAGE = 2_000;
/**
 * The number of characters kept from the beginning of a long stack. The end is kept too: some languages print the error
 * first, others last.
 */
const MAX_BEGINNING = 6_000;
const MAX_END = 2_000;

/** The parts of a failure that people see. */
export interface KeptFailure {
  readonly message: string;
  readonly stack: string;
}

/** The stored form of a failure: without secrets and colours, at most 10,000 characters. */
export function keptFailure({ message, text }: ReportedFailure): KeptFailure {
  // The text is cut last, because half a secret would not be recognized.
  return { message: cutTo(MAX_MESSAGE, plain(message)), stack: cutInside(plain(text)) };
}

function plain(text: string): string {
  return withoutSecrets(withoutColours(text)).trim();
}

function cutInside(stack: string): string {
  if (stack.length <= MAX_BEGINNING + MAX_END) return stack;
  return `${beginningOf(stack, MAX_BEGINNING)}\n… (cut)\n${tailOf(stack, MAX_END)}`;
}
