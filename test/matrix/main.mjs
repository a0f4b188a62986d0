// npm run test:matrix runs build, demo and tests on every Node version of node-versions.json. The file is plain
// JavaScript, so that the oldest version can run it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const NAMED = JSON.parse(readFileSync(join(import.meta.dirname, 'node-versions.json'), 'utf8'));
const VERSIONS = Object.values(NAMED);
const OLDEST = Object.keys(NAMED).flatMap((name) => (name.startsWith('oldest') ? NAMED[name] : []));
const FEWEST_TESTS = 4_000;
/** The spec files to run: unit tests, tests of the documents, and e2e tests of the start. */
const TESTS = ['test/families/(unit|e2e-start)', 'test/(attack-table|docs|mutation|packaging|support)/'];
const SHOWN_LINES = 40;
const HELP = `npm run test:matrix [-- --node VERSION ... | --oldest]

Builds, runs the demo, and runs the unit tests, the tests of the documents and the e2e tests of the start on:
  ${VERSIONS.join(', ')}
--node VERSION   only on this version; can be repeated
--oldest         only on the oldest versions: ${OLDEST.join(', ')}
--keep           keeps the logs of runs that passed, too

Node comes from the npm registry and stays in node_modules/.cache. Ends with 0 when every version passes at least
${FEWEST_TESTS} tests and none fails.`;

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true },
    oldest: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

/** The folder with the `node` program of this version. */
async function folderOfNode(version) {
  const cache = join(ROOT, 'node_modules/.cache/node', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const bin = join(cache, 'node_modules', name, 'bin');
  if (existsSync(bin)) return bin;
  const fresh = `${cache}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const install = ['install', '--prefix', fresh, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`];
  const { exit } = await run('npm', install, { log: join(logs, `install-${version}.log`) });
  if (exit !== 0) throw new Error(`npm cannot install ${name}@${version}. See ${logs}.`);
  rmSync(cache, { recursive: true, force: true });
  renameSync(fresh, cache);
  return bin;
}

/** Runs the program with its output in the file `log`. Returns the exit code and the duration in seconds. */
function run(program, args, { log, env = process.env }) {
  const began = performance.now();
  const output = openSync(log, 'w');
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', output, output] });
  return new Promise((resolve) => {
    child.once('error', () => resolve({ exit: 127, seconds: 0 }));
    child.once('close', (exit) => resolve({ exit, seconds: Math.round((performance.now() - began) / 1_000) }));
  });
}

async function testsOn(env, log, report) {
  const jest = ['-r', './test/v8-flags.cjs', '--max-semi-space-size=64', 'node_modules/jest/bin/jest.js'];
  const options = ['--ignoreProjects', 'long', '--json', `--outputFile=${report}`, '--testPathPatterns', ...TESTS];
  const ended = await run('node', [...jest, ...options], { log, env });
  if (!existsSync(report)) return { ...ended, passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { ...ended, passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Prints the last lines of a log. */
function show(log) {
  if (existsSync(log)) console.log(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'));
}

async function check(version) {
  console.log(`Node ${version}: build, then demo and tests …`);
  const bin = await folderOfNode(version);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const log = (step) => join(logs, `${version}-${step}.log`);
  const build = await run('npm', ['run', 'build'], { log: log('build'), env });
  if (build.exit !== 0) {
    show(log('build'));
    console.log(`Node ${version}: the build ended with ${build.exit}`);
    return false;
  }
  // The demo waits most of the time, so the tests run while the demo runs.
  const [demo, tests] = await Promise.all([
    run('npm', ['run', 'demo'], { log: log('demo'), env }),
    testsOn(env, log('tests'), join(logs, `${version}.json`)),
  ]);
  const areEnough = tests.passed >= FEWEST_TESTS;
  if (demo.exit !== 0) show(log('demo'));
  if (tests.exit !== 0) show(log('tests'));
  const few = areEnough ? '' : ` (fewer than ${FEWEST_TESTS})`;
  console.log(
    `Node ${version}: build ${build.seconds} s; demo ended with ${demo.exit} after ${demo.seconds} s; ` +
      `${tests.passed} tests passed${few}, ${tests.failed} failed, in ${tests.seconds} s`,
  );
  return demo.exit === 0 && tests.exit === 0 && areEnough;
}

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const wanted = values.node ?? (values.oldest ? OLDEST : VERSIONS);
const logs = mkdtempSync(join(tmpdir(), 'sluice-matrix-'));
const failed = [];
for (const version of wanted) if (!(await check(version))) failed.push(version);
if (failed.length === 0 && !values.keep) rmSync(logs, { recursive: true });
else console.log(`The logs are in ${logs}.`);
console.log(
  failed.length === 0
    ? `${wanted.length} Node versions passed: ${wanted.join(', ')}`
    : `${failed.length} of ${wanted.length} Node versions failed: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
