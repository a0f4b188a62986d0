import 'reflect-metadata';
import { readCommandLine } from '../support/command-line';
import setUp from '../global-setup';
import tearDown from '../global-teardown';
import { World } from '../support/world';
import { engineStage } from './engine-stage';
import { play } from './play';
import type { RowHost } from './row-host';
import { ROW_HOSTS } from './row-hosts';
import { ROWS } from './rows';
import { isUnsupported, type Scenario } from './scenario';
import { ServiceStage } from './service-stage';
import type { Stage } from './stage';

interface Played {
  readonly row: Scenario;
  /** Deviations from the row on each stage. A stage is missing if the row was not played on it. */
  readonly problems: ReadonlyMap<Stage['name'], readonly string[]>;
}

/**
 * Plays every row on both stages. Prints which rows pass, which rows deviate and by which rule, and which rows are not
 * supported.
 */
async function main(): Promise<void> {
  const { values, positionals } = readCommandLine({
    script: 'test:scenarios',
    does: 'Plays the scenarios on the engine and on the service, and prints a line for each. Ends with 1 if one goes wrong.',
    options: { host: { takes: 'HOST', default: 'memory', says: `one of ${ROW_HOSTS.join(', ')}` } },
    args: '[id ...]',
  });
  const kind = ROW_HOSTS.find((one) => one === values.host);
  if (kind === undefined) throw new Error(`--host is one of ${ROW_HOSTS.join(', ')}`);
  const wanted = positionals.map((id) => id.toUpperCase());
  const rows = ROWS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  await setUp({ maxWorkers: 1 });
  process.env.DATABASE_URL = `${process.env.TEST_DATABASE_BASE}_1`;
  try {
    const world = await World.create({ host: kind });
    const service = new ServiceStage(world);
    const stages = [engineStage(), service];
    const played: Played[] = [];
    for (const row of rows) {
      played.push(await playOn(stages, row, service.host));
      for (const line of told(played.at(-1)!, service.host)) console.log(line);
    }
    await world.close();
    console.log(summary(played));
    if (played.some(hasProblems)) process.exitCode = 1;
  } finally {
    await tearDown();
  }
}

async function playOn(stages: readonly Stage[], row: Scenario, { cannot }: RowHost): Promise<Played> {
  const problems = new Map<Stage['name'], readonly string[]>();
  if (isUnsupported(row.outcome)) return { row, problems };
  for (const stage of stages) {
    if (stage.name === 'engine' && row.onlyInService !== undefined) continue;
    if (stage.name === 'service' && cannot[row.id] !== undefined) continue;
    problems.set(stage.name, await played(row, stage));
  }
  return { row, problems };
}

async function played(row: Scenario, stage: Stage): Promise<readonly string[]> {
  try {
    return await play(row, stage);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function told(one: Played, { name, cannot }: RowHost): readonly string[] {
  const { row, problems } = one;
  const marks = (['engine', 'service'] as const).map((name) => `${name} ${markOf(problems.get(name))}`);
  const where = problems.size === 0 ? ' '.repeat(marks.join('  ').length) : marks.join('  ');
  return [
    `${row.id}  ${wordFor(row).padEnd(13)}  ${where}  ${row.title}`,
    ...notesOn(row).map((note) => `     ${note}`),
    ...(cannot[row.id] === undefined ? [] : [`     not on ${name}: ${cannot[row.id]}`]),
    ...[...problems].flatMap(([name, sentences]) =>
      sentences.map((sentence) => `     WRONG on the ${name}: ${sentence}`),
    ),
  ];
}

function markOf(problems: readonly string[] | undefined): string {
  if (problems === undefined) return '–';
  return problems.length === 0 ? '✓' : '✗';
}

function wordFor({ outcome }: Scenario): string {
  if (outcome === 'pass') return 'pass';
  return isUnsupported(outcome) ? 'not supported' : 'differs';
}

function notesOn({ outcome, leftOut, onlyInService }: Scenario): readonly string[] {
  return [
    typeof outcome === 'object' && 'differs' in outcome ? `rule: ${outcome.differs}` : null,
    typeof outcome === 'object' && 'differs' in outcome ? `instead: ${outcome.instead}` : null,
    isUnsupported(outcome) ? `because ${outcome.unsupported}` : null,
    leftOut === undefined ? null : `left out: ${leftOut}`,
    onlyInService === undefined ? null : `not on the engine alone: ${onlyInService}`,
  ].filter((note) => note !== null);
}

function summary(all: readonly Played[]): string {
  const count = (word: string): number => all.filter((one) => wordFor(one.row) === word && !hasProblems(one)).length;
  const counts = `${count('pass')} pass, ${count('differs')} differ, ${count('not supported')} not supported`;
  const wrong = all.filter(hasProblems).length;
  const failing = wrong === 0 ? '' : `; ${wrong} DO NOT DO WHAT THEY SAY`;
  return `${all.length} rows: ${counts}; ${all.filter(({ problems }) => problems.size === 2).length} of them executed twice${failing}`;
}

function hasProblems({ problems }: Played): boolean {
  return [...problems.values()].some((sentences) => sentences.length > 0);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
