import type { WebhookEventFacts } from '../webhook-event';
import { type ChatMessage, cut, LONGEST_TEXT, LONGEST_TITLE } from './chat-message';

const MOST_NAMES = 5;
/**
 * With more broken tests than this, the message advises to look for one cause: a failing import, for example, breaks
 * many tests at once.
 */
const MOST_WITHOUT_A_COMMON_CAUSE = 3;

/** One message about several tests of a repository, in the order in which each state first occurred. */
export function gatheredMessage(all: readonly WebhookEventFacts[], page: string): ChatMessage {
  const [{ organization, repo }] = all as readonly [WebhookEventFacts];
  const states = [...new Set(all.map(({ state }) => state))];
  const namesOf = (state: string) => [
    ...new Set(all.flatMap((one) => (one.state === state && one.test !== null ? [one.test.name] : []))),
  ];
  const count = new Set(all.flatMap(({ test }) => test?.id ?? [])).size;
  const isSame = states.length === 1;
  const lines = states.map((state) => `${capitalized(state)}: ${listed(namesOf(state))}.`);
  const broken = namesOf('broken').length;
  return {
    title: cut(
      isSame ? `${count} tests are ${wordsOf(states[0]!)}` : `Status or quarantine of ${count} tests changed`,
      LONGEST_TITLE,
    ),
    text: cut([...lines, ...(broken === 0 ? [] : [wayOut(broken)])].join(' '), LONGEST_TEXT),
    place: repo === null ? organization : `${repo.owner}/${repo.name}`,
    ...{ page, tone: broken > 0 ? 'bad' : 'neutral', mention: null },
  };
}

function wayOut(broken: number): string {
  if (broken > MOST_WITHOUT_A_COMMON_CAUSE)
    return 'When so many tests break together, they usually have one cause. Find the cause before you quarantine a test.';
  return `Fix ${broken === 1 ? 'it, or quarantine it' : 'them, or quarantine them'} until somebody does.`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => cut(name, LONGEST_TITLE));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function capitalized(state: string): string {
  const words = wordsOf(state);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordsOf(state: string): string {
  return state.replaceAll('_', ' ');
}
