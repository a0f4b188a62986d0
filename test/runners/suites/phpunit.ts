import type { RandomFile, RandomTest } from '../random-suite';
import { installPackages } from '../installing';
import type { TestRunner } from '../runner';

/**
 * In a serial file each test depends on the test before it. Strict runs fail by warnings and by tests without
 * assertions.
 */
export const phpunit: TestRunner = {
  name: 'PHPUnit',
  install: (installing) => installPackages(installing, ['phpunit', '--version'], ['phpunit']),
  hidesTeardown: () => true,
  hidesWarnings: true,
  filesOf: ({ files, shards }) =>
    Object.fromEntries([
      ['plan.php', PLAN],
      ['phpunit.xml', `<phpunit>${['<testsuites>', ...shards.map(suiteOf), '</testsuites>'].join('')}</phpunit>`],
      ...files.map((file) => [`${file.name}Test.php`, classOf(file)] as const),
    ]),
  commandOf: ({ stopsAfter, isStrict, shards }, files) => [
    ...['phpunit', '--log-junit', 'report.xml', '--testsuite', `share${shards.indexOf(files)}`],
    ...(stopsAfter > 0 ? ['--stop-on-defect'] : []),
    ...(isStrict ? ['--fail-on-warning', '--fail-on-risky'] : []),
  ],
};

const PLAN = `<?php
class Plan {
  public static function has(string $line): bool { return in_array($line, file('plan.txt', FILE_IGNORE_NEW_LINES)); }
  public static function hook(string $name): void { if (self::has("hooks $name")) throw new Exception('the hook fails'); }
}
`;

function suiteOf(files: readonly RandomFile[], at: number): string {
  return `<testsuite name="share${at}">${files.map(({ name }) => `<file>${name}Test.php</file>`).join('')}</testsuite>`;
}

/** Hooks stand above the tests, because phpunit does not mark hooks below them. */
function classOf({ name, tests, isSerial }: RandomFile): string {
  return `<?php
require_once __DIR__ . '/plan.php';
if (Plan::has('doNotLoad ${name}')) throw new Exception('the file does not load');
class ${name}Test extends PHPUnit\\Framework\\TestCase {
  public static function setUpBeforeClass(): void { Plan::hook('before all ${name}'); }
  public static function tearDownAfterClass(): void { Plan::hook('after all ${name}'); }
  protected function setUp(): void { Plan::hook('setup ' . $this->getName(false)); }
  protected function tearDown(): void { Plan::hook('teardown ' . $this->getName(false)); }
  private function body(string $name): void {
    if (Plan::has("skipped $name")) $this->markTestSkipped('on purpose');
    file_put_contents('ran.log', "$name\\n", FILE_APPEND);
    if (Plan::has("warns $name")) $this->addWarning('an old way');
    $this->assertFalse(Plan::has("fails $name"));
  }
${tests.map((test, at) => methodOf(test, isSerial ? tests[at - 1] : undefined)).join('')}}
`;
}

function methodOf({ name }: RandomTest, before: RandomTest | undefined): string {
  const needs = before === undefined ? '' : `  /** @depends ${before.name} */\n`;
  return `${needs}  public function ${name}(): void { $this->body('${name}'); }\n`;
}
