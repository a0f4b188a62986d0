import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, problemOf } from '../installing';
import type { RandomFile, RandomTest } from '../random-suite';
import type { TestRunner } from '../runner';

const CONSOLE = 'junit-platform-console-standalone';
const VERSION = '6.1.3';

/**
 * JUnit, started by its own launcher. Tests in a group belong to a nested class, whose hooks are in the outer class.
 * The launcher has no retries, and stops at the first failure or not at all.
 */
export const junit: TestRunner = {
  name: 'JUnit',
  install: (installing) => {
    const { folder } = installing;
    const missing = installPackages(installing, ['javac', '--version'], ['default-jdk-headless']);
    if (missing !== null || existsSync(consoleOf(folder))) return missing;
    const artifact = `-Dartifact=org.junit.platform:${CONSOLE}:${VERSION}`;
    return (
      installPackages(installing, ['mvn', '--version'], ['maven']) ??
      problemOf('mvn', '-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${join(folder, 'junit')}`)
    );
  },
  reports: 'reports/TEST-junit-jupiter.xml',
  filesOf: ({ files }) =>
    Object.fromEntries([
      ['run.sh', RUN],
      ['Plan.java', PLAN],
      ...files.map((file) => [`${file.name}_Test.java`, classOf(file)] as const),
    ]),
  commandOf: ({ stopsAfter }, files, folder) => [
    ...['sh', 'run.sh', consoleOf(folder), ...(stopsAfter > 0 ? ['--fail-fast'] : [])],
    ...files.flatMap(({ name }) => ['--select-class', `${name}_Test`]),
  ],
};

function consoleOf(folder: string): string {
  return join(folder, 'junit', `${CONSOLE}-${VERSION}.jar`);
}

const RUN = `console=$1; shift
[ -d classes ] || javac -d classes -cp "$console" *.java || exit 1
exec java -jar "$console" execute --class-path classes --reports-dir reports --disable-banner --details tree "$@"
`;

const PLAN = `
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInfo;

class Plan {
  static boolean has(String line) {
    try { return Files.readAllLines(Path.of("plan.txt")).contains(line); } catch (IOException e) { throw new UncheckedIOException(e); }
  }

  static void hook(String name) {
    if (has("hooks " + name)) throw new IllegalStateException("the hook fails");
  }

  static void hook(String name, TestInfo test) { hook(name + " " + test.getTestMethod().get().getName()); }

  static void body(String name) {
    Assumptions.assumeFalse(has("skipped " + name));
    try { Files.writeString(Path.of("ran.log"), name + "\\n", StandardOpenOption.APPEND); } catch (IOException e) { throw new UncheckedIOException(e); }
    if (has("fails " + name)) Assertions.fail("it fails");
  }
}
`;

function classOf({ name, tests, isFlat }: RandomFile): string {
  const methods = tests.map(methodOf).join('');
  return `
import org.junit.jupiter.api.*;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ${name}_Test {
  static { if (Plan.has("doNotLoad ${name}")) throw new IllegalStateException("the file does not load"); }
  @BeforeAll static void beforeAll() { Plan.hook("before all ${name}"); }
  @AfterAll static void afterAll() { Plan.hook("after all ${name}"); }
  @BeforeEach void setUp(TestInfo test) { Plan.hook("setup", test); }
  @AfterEach void tearDown(TestInfo test) { Plan.hook("teardown", test); }
${isFlat ? methods : `  @Nested @TestMethodOrder(MethodOrderer.OrderAnnotation.class) class Group {\n${methods}  }\n`}}
`;
}

function methodOf({ name, title }: RandomTest, at: number): string {
  return `  @Test @Order(${at}) @DisplayName("${title}${name}") void ${name}() { Plan.body("${name}"); }\n`;
}
