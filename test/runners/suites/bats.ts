import { installPackages } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

export const bats: TestRunner = {
  name: 'bats',
  install: (installing) => installPackages(installing, ['bats', '--version'], ['bats']),
  hidesTeardown: () => true,
  filesOf: ({ files, retries }) =>
    Object.fromEntries([
      ['plan.bash', PLAN],
      ...files.map((file) => [`${file.name}.bats`, fileOf(file, retries)] as const),
    ]),
  commandOf: (_suite, files) => [
    ...['bats', '--report-formatter', 'junit', '--output', '.'],
    ...files.map(({ name }) => `${name}.bats`),
  ],
};

const PLAN = `has() { grep -qx "$*" plan.txt; }
body() {
  has "skipped $1" && skip 'on purpose'
  echo "$1" >> ran.log
  if has "fails $1"; then return 1; fi
  if has "retried $1" && [ "$(grep -cx "$1" ran.log)" = 1 ]; then return 1; fi
}
`;

function fileOf({ name, tests }: RandomFile, retries: number): string {
  return `source plan.bash
BATS_TEST_RETRIES=${retries}
if has "doNotLoad ${name}"; then echo 'the file does not load' >&2; exit 1; fi
setup_file() { ! has "hooks before all ${name}"; }
teardown_file() { ! has "hooks after all ${name}"; }
setup() { ! has "hooks setup \${BATS_TEST_DESCRIPTION##*[/. ]}"; }
teardown() { ! has "hooks teardown \${BATS_TEST_DESCRIPTION##*[/. ]}"; }
${tests.map(testOf).join('')}`;
}

function testOf({ name, title }: RandomTest): string {
  return `@test "${title}${name}" { body ${name}; }\n`;
}
