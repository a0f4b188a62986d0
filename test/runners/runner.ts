import type { Hides, RandomFile, RandomSuite } from './random-suite';

export interface Installing {
  /** A folder for runners that the package manager of their language installs. */
  readonly folder: string;
  /** Whether the runner may install Debian packages, too. */
  readonly mayUseApt: boolean;
}

export interface TestRunner extends Hides {
  readonly name: string;
  /** Installs the runner once. Returns the reason if that is impossible, with the command that would install it. */
  readonly install: (installing: Installing) => string | null;
  /** The folder that a suite uses as its node_modules; absent if the suite needs no such folder. */
  readonly modulesOf?: (folder: string) => string;
  /**
   * The files of a suite by name. A running file reads `plan.json` or `plan.txt`, and appends a line to `ran.log` with
   * the name of each test whose body ran.
   */
  readonly filesOf: (suite: RandomSuite) => Readonly<Record<string, string>>;
  /** The path of the runner's reports; by default `report.xml`. */
  readonly reports?: string;
  /** The command that runs these files. */
  readonly commandOf: (suite: RandomSuite, files: readonly RandomFile[], folder: string) => readonly string[];
}
