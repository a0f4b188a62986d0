import { parseArgs } from 'node:util';
import { countHabits, hitsOf } from './counts';
import { KINDS } from './kinds';
import { BARS, mostBroken, RULES } from './rules';
import { CODE } from './sentences';

const HELP = `npm run docs:style -- [options]: how many sentences break a rule of style, by kind of text.

  --show       list each such sentence with its file and line
  --kind KIND  only ${KINDS.join(', ')}
  --help       this text

Ends with 1 if a kind is over a bar.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({ options: { show: flag, kind: text, help: flag } });
if (values.help) console.log(HELP);
else printCounts();

function printCounts(): void {
  const counts = countHabits();
  for (const { file, line, kind, rule, text: sentence } of values.show ? counts.hits : []) {
    if (values.kind !== undefined && values.kind !== kind) continue;
    console.log(`${file}:${line}\t${kind}\t${rule}\t${sentence.replaceAll(CODE, '`…`')}`);
  }
  console.log(row('kind', 'sentences', RULES));
  for (const kind of [...KINDS, 'total'] as const) {
    const sentences = counts.sentences[kind];
    const shares = RULES.map((rule) => {
      const broken = hitsOf(counts, kind, rule).length;
      const isOver = broken > mostBroken(sentences, rule);
      if (isOver) process.exitCode = 1;
      return `${((100 * broken) / Math.max(1, sentences)).toFixed(2)} %${isOver ? ' *' : ''}`;
    });
    console.log(row(kind, String(sentences), shares));
  }
  console.log(
    row(
      'bar',
      '',
      RULES.map((rule) => `${100 * BARS[rule]} %`),
    ),
  );
}

function row(kind: string, sentences: string, shares: readonly string[]): string {
  return [kind.padEnd(10), ...[sentences, ...shares].map((cell) => cell.padStart(11))].join('');
}
