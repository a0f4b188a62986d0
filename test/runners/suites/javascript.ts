import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

/** What differs between runners of JavaScript. */
interface Dialect {
  readonly name: string;
  readonly packages: readonly string[];
  /** The beginning of each file: it names `group`, `test`, `hooks` and `plan`. */
  readonly head: string;
  readonly extension: string;
  readonly files: Readonly<Record<string, string>>;
  readonly program: string;
  readonly words: (suite: Parameters<TestRunner['commandOf']>[0]) => readonly string[];
  /** How a group says that its first failure cuts off the others. */
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

/** Hooks throw in their own line: what a frame of code does not show has no mark. */
export function fileOf(
  { name, isSerial, isFlat, tests }: RandomFile,
  { head, serial }: Pick<Dialect, 'head' | 'serial'>,
): string {
  const group = isSerial && serial !== undefined ? serial : 'group';
  const isGroup = !isFlat || isSerial;
  return `${head}
const tries = {};
const warn = (name) => process.emitWarning(name + ' uses an old way');
const body = (name) => {
  fs.appendFileSync('ran.log', name + '\\n');
  tries[name] = (tries[name] ?? 0) + 1;
  if (plan.warns.includes(name)) warn(name);
  if (plan.fails.includes(name)) throw new Error('it fails');
  if (plan.retried.includes(name) && tries[name] === 1 && !isRetry()) throw new Error('it fails at first');
};
if (plan.doNotLoad.includes('${name}')) throw new Error('the file does not load');
${isGroup ? `${group}('${name}', () => {` : ''}
${isGroup ? hooksOf(name) : ''}
${tests.map(testOf).join('')}${isGroup ? '});' : ''}
`;
}

function hooksOf(file: string): string {
  return `  if (plan.hooks.includes('before all ${file}')) hooks.beforeAll(() => { throw new Error('the hook fails'); });
  if (plan.hooks.includes('after all ${file}')) hooks.afterAll(() => { throw new Error('the hook fails'); });`;
}

function testOf({ name, title, hook }: RandomTest): string {
  const test = `(plan.skipped.includes('${name}') ? test.skip : test)('${title}${name}', () => body('${name}'));`;
  if (hook === null) return `  ${test}\n`;
  const when = hook === 'setup' ? 'beforeEach' : 'afterEach';
  return `  group('hooked', () => {
    if (plan.hooks.includes('${hook} ${name}')) hooks.${when}(() => { throw new Error('the hook fails'); });
    ${test}
  });
`;
}
