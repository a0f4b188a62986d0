import { readDocument } from '../documents';
import { KINDS, type Kind, mayLand, type UnitOfKind, unitsOfProject } from './kinds';
import { brokenRules, type Rule } from './rules';
import { sentencesIn, type Unit } from './sentences';

export interface Allowed {
  readonly file: string;
  readonly phrase: string;
  readonly reason: string;
}

export interface Hit extends Unit {
  readonly kind: Kind;
  readonly rule: Rule;
}

export interface Counts {
  readonly sentences: Readonly<Record<Kind | 'total', number>>;
  readonly hits: readonly Hit[];
  /** Lines of the allow list that allow nothing. */
  readonly unused: readonly Allowed[];
}

/** Reads the allow list. Each line is `file | phrase | reason`; a line that begins with `#` is a comment. */
export function readAllowed(): readonly Allowed[] {
  return readDocument('test/docs/style/allowed.txt')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [file = '', phrase = '', reason = ''] = line.split('|').map((part) => part.trim());
      return { file, phrase, reason };
    });
}

export function countHabits(
  units: readonly UnitOfKind[] = unitsOfProject(),
  allowed: readonly Allowed[] = readAllowed(),
): Counts {
  const sentences = Object.fromEntries([...KINDS, 'total'].map((kind) => [kind, 0])) as Record<Kind | 'total', number>;
  const hits: Hit[] = [];
  const used = new Set<Allowed>();
  for (const unit of units) {
    for (const sentence of sentencesIn(unit)) {
      sentences[unit.kind] += 1;
      sentences.total += 1;
      const rules = brokenRules(sentence, mayLand(unit));
      if (rules.length === 0) continue;
      const by = allowed.find(({ file, phrase }) => file === unit.file && sentence.text.includes(phrase));
      if (by) used.add(by);
      else hits.push(...rules.map((rule) => ({ ...sentence, kind: unit.kind, rule })));
    }
  }
  return { sentences, hits, unused: allowed.filter((one) => !used.has(one)) };
}

export function hitsOf({ hits }: Counts, kind: Kind | 'total', rule: Rule): readonly Hit[] {
  return hits.filter((hit) => (kind === 'total' || hit.kind === kind) && hit.rule === rule);
}
