import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

/** Differences between JavaScript runners. */
interface Dialect {
  readonly name: string;
  readonly packages: readonly string[];
  /** The code at the beginning of each file, which defines `group`, `test`, `hooks` and `plan`. */
  readonly head: string;
  readonly extension: string;
  readonly files: Readonly<Record<string, string>>;
  readonly program: string;
  readonly words: (suite: Parameters<TestRunner['commandOf']>[0]) => readonly string[];
  /** The option of a group that lets the first failure cut off the later tests. */
  readonly serial?: string;
}

export function javascriptRunner(dialect: Dialect): TestRunner {
  const home = (folder: string): string => join(folder, dialect.name.toLowerCase());
  return {
    name: dialect.name,
    install: ({ folder }) => {
      if (existsSync(join(home(folder), 'node_modules', dialect.program))) return null;
      const words = ['install', '--no-audit', '--no-fund', '--prefix', home(folder), ...dialect.packages];
      return problemOf('npm', ...words);
    },
    modulesOf: (folder) => join(home(folder), 'node_modules'),
    filesOf: ({ files }) =>
      Object.fromEntries([
        ...Object.entries(dialect.files),
        ...files.map((file) => [`${file.name}.${dialect.extension}`, fileOf(file, dialect)] as const),
      ]),
    commandOf: (suite, files, folder) => [
      process.execPath,
      join(home(folder), 'node_modules', dialect.program),
      ...dialect.words(suite),
      ...files.map(({ name }) => `${name}.${dialect.extension}`),
    ],
  };
}

/**
 * Each hook throws on its own line, near the beginning of the hook, because the mark of the failing line must be in the
 * shown part of the code. Titles have their own lines, so that lines are short.
 */
export function fileOf(file: RandomFile, { head, serial }: Pick<Dialect, 'head' | 'serial'>): string {
  const { name, isSerial, isFlat, tests } = file;
  const group = isSerial && serial !== undefined ? serial : 'group';
  const isGroup = !isFlat || isSerial;
  const names = [`before all ${name}`, `after all ${name}`, ...tests.map((test) => `${test.hook} ${test.name}`)];
  return `${head}
const NAMES = ${JSON.stringify(names)};
const on = (at) => plan.hooks.includes(NAMES[at]);
const tries = {};
const warn = (name) => process.emitWarning(name + ' uses an old way');
const body = (name) => {
  fs.appendFileSync('ran.log', name + '\\n');
  tries[name] = (tries[name] ?? 0) + 1;
  if (plan.warns.includes(name)) warn(name);
  if (plan.fails.includes(name)) throw new Error('it fails');
  const isFirst = tries[name] === 1 && !isRetry();
  if (isFirst && plan.retried.includes(name)) throw new Error('at first');
};
const testOr = (name) => (plan.skipped.includes(name) ? test.skip : test);
if (plan.doNotLoad.includes('${name}')) throw new Error('the file does not load');
${isGroup ? `${group}('${name}', () => {` : ''}
${isGroup ? HOOKS : ''}
${tests.map((test, at) => testOf(test, at + 2)).join('')}${isGroup ? '});' : ''}
`;
}

const HOOKS = `  if (on(0)) hooks.beforeAll(() => { throw new Error('no hook'); });
  if (on(1)) hooks.afterAll(() => { throw new Error('no hook'); });`;

function testOf({ name, title, hook }: RandomTest, at: number): string {
  const test = `testOr('${name}')('${title}${name}', () => body('${name}'));`;
  if (hook === null) return `  ${test}\n`;
  const when = hook === 'setup' ? 'beforeEach' : 'afterEach';
  return `  group('hooked', () => {
    if (on(${at})) hooks.${when}(() => { throw new Error('no hook'); });
    ${test}
  });
`;
}
