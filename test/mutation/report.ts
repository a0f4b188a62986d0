import type { Equivalent } from './equivalents';
import type { Answer } from './judging/verdict';
import { keyOf, type Mutant } from './mutant';

export interface Judged {
  readonly mutant: Mutant;
  readonly answer: Answer;
}

export interface Report {
  readonly lines: readonly string[];
  /** A sentence with the number of mutants and their outcomes. */
  readonly figures: string;
  readonly isClean: boolean;
}

/** `all`: every possible mutant, whether or not this run judged it. */
export function reportOn(
  judged: readonly Judged[],
  all: readonly Mutant[],
  equivalents: readonly Equivalent[],
): Report {
  const reasons = new Map(equivalents.map((equivalent) => [keyOf(equivalent), equivalent.because]));
  const survivors = answered(judged, 'survived');
  const explained = survivors.filter((mutant) => reasons.has(keyOf(mutant)));
  const unexplained = survivors.filter((mutant) => !reasons.has(keyOf(mutant)));
  const withReasons = explained.map((mutant) => `${placeOf(mutant)}\n      ${reasons.get(keyOf(mutant))}`);
  const stale = staleOnes(judged, all, equivalents);
  const noPrograms = answered(judged, 'notAProgram');
  const killed = answered(judged, 'killed').length;
  return {
    lines: [
      ...perFile(judged),
      ...perKiller(judged),
      ...section('Killed by nobody, but by the time or the end of its process', killedByNobody(judged)),
      ...section('Survived because they are no other program', withReasons),
      ...section('Survived without a reason', unexplained.map(placeOf)),
      ...section('Explained, but no mutant survives there', stale.map(keyOf)),
      ...section('Not a program: a mistake of the rule that made it', noPrograms.map(placeOf)),
    ],
    figures:
      `${judged.length} mutants: ${killed} killed, ${explained.length} survived with a reason, ` +
      `${unexplained.length} survived without a reason`,
    isClean: unexplained.length + stale.length + noPrograms.length === 0,
  };
}

function answered(judged: readonly Judged[], type: Answer['type']): readonly Mutant[] {
  return judged.filter(({ answer }) => answer.type === type).map(({ mutant }) => mutant);
}

/** Explanations of mutants that were killed, or that cannot be made any more. */
function staleOnes(
  judged: readonly Judged[],
  all: readonly Mutant[],
  equivalents: readonly Equivalent[],
): readonly Equivalent[] {
  const keysJudged = new Set(judged.map(({ mutant }) => keyOf(mutant)));
  const alive = new Set([
    ...answered(judged, 'survived').map(keyOf),
    ...all.map(keyOf).filter((key) => !keysJudged.has(key)),
  ]);
  return equivalents.filter((equivalent) => !alive.has(keyOf(equivalent)));
}

function perFile(judged: readonly Judged[]): readonly string[] {
  const row = (name: string, figures: readonly unknown[]): string =>
    [name.padEnd(44), ...figures.map((figure) => String(figure).padStart(8))].join(' ');
  const files = [...new Set(judged.map(({ mutant }) => mutant.file))];
  return [
    row('file', ['made', 'killed', 'survived']),
    ...files.map((file) => {
      const made = judged.filter(({ mutant }) => mutant.file === file);
      return row(file, [made.length, answered(made, 'killed').length, answered(made, 'survived').length]);
    }),
  ];
}

function perKiller(judged: readonly Judged[]): readonly string[] {
  const kills = new Map<string, number>();
  for (const { answer } of judged) {
    if (answer.type !== 'killed') continue;
    const killer = answer.death.killer ?? 'nobody';
    kills.set(killer, (kills.get(killer) ?? 0) + 1);
  }
  return ['', `killed by: ${[...kills].map(([killer, count]) => `${killer} ${count}`).join(', ')}`];
}

function killedByNobody(judged: readonly Judged[]): readonly string[] {
  return judged.flatMap(({ mutant, answer }) =>
    answer.type === 'killed' && answer.death.killer === null
      ? [`${placeOf(mutant)}\n      ${answer.death.problem}`]
      : [],
  );
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

export function placeOf({ file, line, within, change }: Mutant): string {
  return `${file}:${line} in ${within}: ${change}`;
}
