import { hasOddWord } from './odd-words';
import { CODE, type Unit, wordsIn } from './sentences';

export type Rule = 'opener' | 'that-of' | 'word' | 'long';

/** The largest share of the sentences of a kind that may break a rule. */
export const BARS: Readonly<Record<Rule, number>> = { opener: 0.005, 'that-of': 0.002, word: 0.003, long: 0.01 };
export const RULES = Object.keys(BARS) as readonly Rule[];

const MOST_WORDS = 30;
/** Words that begin a clause about a thing. A sentence should start with the thing itself. */
const OPENERS = new Set([
  'What',
  'Who',
  'Whom',
  'Whose',
  'Whoever',
  'Whatever',
  'Whichever',
  'Which',
  'Where',
  'Such',
  'Of',
]);
const THAT_OF = /\bth(?:at|ose) of\b|\bthose (?:which|that|whose)\b|\bthat which\b/i;

/** The rules that a sentence breaks. `mayLand`: whether the sentence may use the word "land". */
export function brokenRules(sentence: Unit, mayLand: boolean): readonly Rule[] {
  const { text } = sentence;
  const broken: Record<Rule, boolean> = {
    opener: beginsWithClause(sentence),
    'that-of': THAT_OF.test(text),
    word: hasOddWord(text, mayLand),
    long: wordsIn(text) > MOST_WORDS,
  };
  return RULES.filter((rule) => broken[rule]);
}

/** Headings and questions may begin with such a clause. */
function beginsWithClause({ text, isHeading = false }: Unit): boolean {
  if (isHeading || wordsIn(text) <= 2 || /\?[^\p{L}\p{N}_]*$/u.test(text)) return false;
  const [first = '', second = ''] = text.match(/[\p{L}\p{N}_\u25a1]+/gu) ?? [];
  if (first === 'Of' && ['course', 'note'].includes(second)) return false;
  return first !== CODE && OPENERS.has(first);
}

/** How many sentences may break a rule. If a kind has few sentences, one sentence may break the rule. */
export function mostBroken(sentences: number, rule: Rule): number {
  return Math.max(1, Math.floor(sentences * BARS[rule]));
}
