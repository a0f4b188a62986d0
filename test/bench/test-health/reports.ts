/** The report is made in pieces, as the benchmark uploads it: one suite per file, 40 tests in each suite. */
export const TESTS_PER_SUITE = 40;

/** `fails` selects failing tests by number. `output` is the output of each suite of 40 tests. */
export function* pieces(tests: number, fails: (test: number) => boolean, output = ''): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bench">\n';
  for (let first = 0; first < tests; first += TESTS_PER_SUITE) {
    const file = `packages/app/test/area-${first % 97}/suite-${first}.spec.ts`;
    const lines = [`<testsuite name="Suite ${first}" file="${file}" tests="${TESTS_PER_SUITE}">`];
    for (let test = first; test < Math.min(first + TESTS_PER_SUITE, tests); test++)
      lines.push(testCase(test, fails(test)));
    if (output !== '') lines.push(`<system-out><![CDATA[${output}]]></system-out>`);
    lines.push('</testsuite>\n');
    yield lines.join('\n');
  }
  yield '</testsuites>\n';
}

function testCase(test: number, isRed: boolean): string {
  const begin = `  <testcase name="behaves as described in case ${test}" classname="App area ${test % 97}" time="0.0${test % 89}"`;
  if (!isRed) return `${begin}/>`;
  const message = `expected ${test} widgets &amp; got ${test + 1}`;
  return `${begin}><failure message="${message}" type="AssertionError">at check (app/src/widgets.ts:${test}:7)</failure></testcase>`;
}
