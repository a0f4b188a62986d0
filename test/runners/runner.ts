import type { RandomSuite } from './random-suite';

export interface TestRunner {
  readonly name: string;
  /** Installs it into the folder, once; the reason where it cannot be had. */
  readonly install: (folder: string) => string | null;
  /** A folder that the suite sees as its node_modules. */
  readonly modulesOf?: (folder: string) => string;
  /**
   * The files of a suite by their names. When they run they read `plan.json`, and add the name of each test whose body ran to `ran.log`,
   * a line each.
   */
  readonly filesOf: (suite: RandomSuite) => Readonly<Record<string, string>>;
  /** The command that runs the suite and writes `report.xml`. */
  readonly commandOf: (suite: RandomSuite, folder: string) => readonly string[];
}
