import type { Hides, RandomFile, RandomSuite } from './random-suite';

export interface Installing {
  /** Of the runners that a package manager of their language puts into a folder. */
  readonly folder: string;
  /** Packages of the machine may be installed, too. */
  readonly mayUseApt: boolean;
}

export interface TestRunner extends Hides {
  readonly name: string;
  /** Installs it, once; why it cannot be had, with what would install it. */
  readonly install: (installing: Installing) => string | null;
  /** A folder that the suite sees as its node_modules. */
  readonly modulesOf?: (folder: string) => string;
  /**
   * The files of a suite by their names. When they run they read `plan.json` or `plan.txt`, and add the name of each test whose body
   * ran to `ran.log`, a line each time.
   */
  readonly filesOf: (suite: RandomSuite) => Readonly<Record<string, string>>;
  /** Where it writes its reports; `report.xml` unless it says so. */
  readonly reports?: string;
  /** The command that runs these of the files. */
  readonly commandOf: (suite: RandomSuite, files: readonly RandomFile[], folder: string) => readonly string[];
}
