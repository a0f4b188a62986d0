import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UploadingProject } from './uploading-project';

const ROOT = join(__dirname, '../..');
const RUNNERS = join(__dirname, '../fixtures/runners');
const GUIDE = readFileSync(join(ROOT, 'docs/test-runners.md'), 'utf8');

interface Recipe {
  readonly runner: string;
  /** The arguments of `sluice` in the recipe. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly section: string;
}

/** The guide's commands that run tests after `--`, as a shell in `folder` parses them. */
function recipesIn(guide: string, folder: string): readonly Recipe[] {
  return guide
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, block] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
      if (block === undefined || !block.includes(' --quarantine -- ')) return [];
      const say = `sluice() { printf '%s\\0' "$@"; printf '\\1'; env -0; }\nset -eu\n${block}`;
      const options = { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
      const [words = '', environment = ''] = execFileSync('bash', ['--norc', '-c', say], options).split('\u0001');
      const pairs = environment.split('\0').filter((pair) => /^(?:PLAYWRIGHT|JEST|MOCHA)_?\w*=/.test(pair));
      return [
        {
          runner: section.split('\n')[0]!,
          words: words.split('\0').slice(0, -1),
          environment: Object.fromEntries(
            pairs.map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]),
          ),
          section,
        },
      ];
    });
}

/**
 * A program with the name of a runner. The program repeats a recorded run: it writes the report to the path in its
 * command line or environment, prints the recorded output, and ends with the recorded exit code. If there is no path
 * for the report, the program ends with 97.
 */
const STAND_IN = `#!${process.execPath}
const { copyFileSync, mkdirSync, readdirSync, readFileSync } = require('fs');
const { dirname, join } = require('path');
const { RECORDED: folder, JUNIT_FOLDER } = process.env;
const words = process.argv.slice(2);
const behind = (name) => words[words.indexOf(name) + 1];
const after = (begin) => words.find((word) => word.startsWith(begin))?.slice(begin.length);
const has = (word) => words.includes(word);
const places = {
  playwright: () => has('--reporter=list,junit') && process.env.PLAYWRIGHT_JUNIT_OUTPUT_NAME,
  vitest: () => has('--reporter=junit') && after('--outputFile.junit='),
  jest: () => has('--reporters=jest-junit') && process.env.JEST_JUNIT_OUTPUT_FILE,
  mocha: () => behind('--reporter') === 'mocha-junit-reporter' && process.env.MOCHA_FILE,
  phpunit: () => has('--log-junit') && behind('--log-junit'),
  pytest: () => after('--junitxml='),
  // Both read it from another folder than their own.
  ctest: () => has('--output-junit') && join(behind('--output-junit')[0] === '/' ? '' : behind('--test-dir'), behind('--output-junit')),
  robot: () => has('--xunit') && join(behind('--outputdir'), behind('--xunit')),
  gotestsum: () => has('--junitfile') && behind('--junitfile'),
  bats: () => behind('--report-formatter') === 'junit' && join(behind('--output'), 'report.xml'),
  rspec: () => words[words.indexOf('--out') - 1] === 'RspecJunitFormatter' && behind('--out'),
  minitest: () => has('rake') && JUNIT_FOLDER && join(JUNIT_FOLDER, 'TEST-CartTest.xml'),
  maven: () => has('test') && 'target/surefire-reports/TEST-shop.xml',
};
const place = places[process.env.RUNNER]();
if (!place) process.exit(97);
for (const [i, name] of readdirSync(folder).filter((name) => name.endsWith('.xml')).entries()) {
  const own = i === 0 ? place : place.replace(/\\.xml$/, i + '.xml');
  mkdirSync(dirname(own), { recursive: true });
  copyFileSync(join(folder, name), own);
}
process.stdout.write(readFileSync(join(folder, 'output.txt')));
process.exitCode = Number(readFileSync(join(folder, 'exit'), 'utf8'));
`;

/**
 * For each heading of the guide, the runner, its recorded run, and the exit code of that run when every failed test is
 * quarantined.
 */
const RECORDED: Readonly<Record<string, readonly [runner: string, run: string, end: 'ignored' | 'as the tests']>> = {
  'Playwright 1.65': ['playwright', 'playwright/fail-on-flaky', 'as the tests'],
  'Vitest 3': ['vitest', 'vitest/snapshot', 'ignored'],
  'Jest 30': ['jest', 'jest/dots', 'ignored'],
  'Mocha 11': ['mocha', 'mocha/root', 'ignored'],
  'PHPUnit 9': ['phpunit', 'phpunit/warnings', 'as the tests'],
  'pytest 9': ['pytest', 'pytest/warnings', 'as the tests'],
  'CTest 3.25': ['ctest', 'ctest/not-run', 'as the tests'],
  'Go with gotestsum 1.13': ['gotestsum', 'gotestsum/parents', 'ignored'],
  'bats 1.8': ['bats', 'bats/hooks', 'as the tests'],
  'RSpec 3': ['rspec', 'rspec/hooks', 'as the tests'],
  'minitest 5': ['minitest', 'minitest/hooks', 'as the tests'],
  'JUnit 5 with Maven (Surefire 3)': ['maven', 'junit5/hooks', 'as the tests'],
  'TestNG 7 with Maven (Surefire 3)': ['maven', 'testng/depends', 'as the tests'],
  'Robot Framework 7': ['robot', 'robot/hooks', 'as the tests'],
};
const PROGRAMS = ['npx', 'pytest', 'ctest', 'gotestsum', 'bats', 'bundle', 'mvn', 'robot'];

describe('The recipes of docs/test-runners.md', () => {
  let project: UploadingProject;
  let bin: string;

  beforeAll(async () => {
    project = await UploadingProject.open({ 'vendor/bin/phpunit': STAND_IN });
    bin = mkdtempSync(join(tmpdir(), 'sluice-runners-'));
    for (const name of PROGRAMS) {
      writeFileSync(join(bin, name), STAND_IN);
      chmodSync(join(bin, name), 0o755);
    }
    chmodSync('vendor/bin/phpunit', 0o755);
  });
  beforeEach(() => {
    for (const folder of ['reports', 'target']) rmSync(folder, { recursive: true, force: true });
    mkdirSync('reports');
  });
  afterAll(async () => {
    await project.close();
    rmSync(bin, { recursive: true });
  });

  const recipes = recipesIn(GUIDE, ROOT);
  const recipeOf = (runner: string): Recipe => recipesIn(GUIDE, process.cwd()).find((one) => one.runner === runner)!;

  /** Runs the recipe as it is written, except for the organization and the variables of CI. */
  function follow({ words, environment, section }: Recipe, job: string, more: Readonly<Record<string, string>>) {
    const [, folder = ''] = /JUnitReporter\.new\('([^']+)'\)/.exec(section) ?? [];
    const all = { ...environment, ...more, JUNIT_FOLDER: folder, PATH: `${bin}${delimiter}${process.env.PATH}` };
    expect(words.slice(0, 6)).toEqual(['upload', words[1], '--org', 'acme', '--quarantine', '--']);
    // The program gets exactly this environment. The program does not get the environment of this process, which Jest
    // replaces.
    const given = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    return project.upload(words[1]!, ['env', ...given, ...words.slice(6)], undefined, job);
  }

  it('exist for at least twelve runners, and each is tried in this spec', () => {
    expect(recipes.map(({ runner }) => runner).filter((runner) => runner !== 'Node.js 20')).toEqual(
      expect.arrayContaining(Object.keys(RECORDED)),
    );
    expect(recipes).toHaveLength(Object.keys(RECORDED).length + 1);
    expect(recipes.length).toBeGreaterThanOrEqual(12);
  });

  it.each(Object.entries(RECORDED))(
    'for %s upload the report, and ignore failures of quarantined tests',
    async (name, of) => {
      const [runner, run, end] = of;
      const folder = join(RUNNERS, run);
      const exit = Number(readFileSync(join(folder, 'exit'), 'utf8'));
      const again = () => follow(recipeOf(name), name, { RECORDED: folder, RUNNER: runner });
      const first = await again();
      expect([first.exit, first.out || first.err]).toEqual([
        exit,
        expect.stringMatching(/^Stored: [1-9]\d* results, .*[1-9]\d* failed/m),
      ]);
      await project.quarantineAllThatFailed();
      expect((await again()).exit).toBe(end === 'ignored' ? 0 : exit);
    },
  );

  it('for Node.js 20 work with the real runner', async () => {
    project.write(
      'shop.test.mjs',
      "import { test } from 'node:test';\ntest('pays', () => { throw new Error('no'); });\n",
    );
    const again = () => follow(recipeOf('Node.js 20'), 'node', {});
    expect((await again()).exit).toBe(1);
    await project.quarantineAllThatFailed();
    expect((await again()).exit).toBe(0);
    project.remove('shop.test.mjs');
  });

  it('fail this spec if a recipe omits the option that writes the report', async () => {
    const recipe = recipeOf('pytest 9');
    const broken = { ...recipe, words: recipe.words.filter((word) => !word.startsWith('--junitxml')) };
    const { exit } = await follow(broken, 'broken', { RECORDED: join(RUNNERS, 'pytest/warnings'), RUNNER: 'pytest' });
    expect([exit, existsSync('reports') && readdirSync('reports')]).toEqual([97, []]);
  });
});
