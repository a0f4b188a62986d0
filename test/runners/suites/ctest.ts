import { installPackages } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

/**
 * The files are written as CMake writes them. Each file is a program with several tests. The programs are built before
 * the tests run, unless the build fails. Hooks of a file are fixtures; tests have no hooks. In a serial file each test
 * requires the test before it. A script starts ctest, so that Sluice does not see the options of ctest.
 */
export const ctest: TestRunner = {
  name: 'CTest',
  install: (installing) => installPackages(installing, ['ctest', '--version'], ['cmake']),
  filesOf: ({ files, shards }) =>
    Object.fromEntries([
      ['program.sh', PROGRAM],
      ['run.sh', RUN],
      ['files.txt', files.map(({ name }) => `${name}\n`).join('')],
      ...shards.map((share, at) => [`share${at}/CTestTestfile.cmake`, share.map(testsOf).join('')] as const),
    ]),
  commandOf: ({ stopsAfter, retries, shards }, files) => [
    ...['sh', 'run.sh', '--test-dir', `share${shards.indexOf(files)}`, '--output-junit', '../report.xml'],
    ...(stopsAfter > 0 ? ['--stop-on-failure'] : []),
    ...(retries > 0 ? ['--repeat', `until-pass:${retries + 1}`] : []),
  ],
};

const RUN = `mkdir -p build
while read -r name; do
  rm -f "build/$name"
  grep -qx "doNotLoad $name" plan.txt || { cp program.sh "build/$name"; chmod +x "build/$name"; }
done < files.txt
exec ctest "$@"
`;

const PROGRAM = `#!/bin/sh
cd ..
has() { grep -qx "$*" plan.txt; }
if [ "$1" = hook ]; then shift; ! has "hooks $*"; exit; fi
has "skipped $1" && exit 77
echo "$1" >> ran.log
has "fails $1" && exit 1
has "retried $1" && [ "$(grep -cx "$1" ran.log)" = 1 ] && exit 1
exit 0
`;

function testsOf({ name, hook, tests, isSerial }: RandomFile): string {
  const fixture = hook === null ? [] : [name];
  const hooks =
    hook === null
      ? ''
      : added(`${name}.${hook === 'before all' ? 'up' : 'down'}`, name, `hook "${hook}" ${name}`, {
          [hook === 'before all' ? 'FIXTURES_SETUP' : 'FIXTURES_CLEANUP']: name,
        });
  const own = tests.map((test, at) => {
    const before = isSerial && at > 0 ? [`${name}_${at - 1}`] : [];
    const needed = [...fixture, ...before].join(';');
    return testOf(test, name, {
      ...(isSerial && { FIXTURES_SETUP: `${name}_${at}` }),
      ...(needed !== '' && { FIXTURES_REQUIRED: needed }),
    });
  });
  return hooks + own.join('');
}

function testOf({ name, title }: RandomTest, file: string, properties: Readonly<Record<string, string>>): string {
  return added(`${title === '' ? `${file}.` : title}${name}`, file, name, { SKIP_RETURN_CODE: '77', ...properties });
}

function added(test: string, program: string, words: string, properties: Readonly<Record<string, string>>): string {
  const set = Object.entries(properties).map(([name, value]) => `${name} "${value}"`);
  return `add_test([=[${test}]=] "../build/${program}" ${words})
set_tests_properties([=[${test}]=] PROPERTIES ${set.join(' ')})
`;
}
