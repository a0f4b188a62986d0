import { join } from 'node:path';
import { runProgram } from './small-process';

const ROOT = join(__dirname, '..', '..');
const CONFIG = {
  rootDir: join(ROOT, 'test/fixtures/kept-modules'),
  testMatch: ['<rootDir>/*.spec.cjs'],
  testEnvironment: join(ROOT, 'test/environment.cjs'),
  runtime: join(ROOT, 'test/runtime.cjs'),
  transform: {},
};

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly title: string }[] }[];
  readonly numPassedTests: number;
}

it('two spec files of a worker share their modules, and none of what the other did to variables, functions, timers and storages', () => {
  const args = [
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    '--config',
    JSON.stringify(CONFIG),
    '--runInBand',
    '--json',
  ];
  const { stdout, stderr } = runProgram(process.execPath, args, { cwd: ROOT });
  expect(stderr.toString()).not.toContain('●');
  const { testResults, numPassedTests } = JSON.parse(stdout.toString()) as Results;
  const titles = testResults.map(({ assertionResults }) => assertionResults.map(({ title }) => title));
  expect(titles.sort()).toEqual([['is told of 1 files'], ['is told of 2 files']]);
  expect(numPassedTests).toBe(2);
});
