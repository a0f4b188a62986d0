import type { Hides, RandomFile, RandomSuite } from './random-suite';

export interface Installing {
  /** The folder for runners from a package manager of their language. */
  readonly folder: string;
  /** System packages may be installed, too. */
  readonly mayUseApt: boolean;
}

export interface TestRunner extends Hides {
  readonly name: string;
  /** Installs the runner once. Returns the reason if that is impossible, with the command that would install it. */
  readonly install: (installing: Installing) => string | null;
  /** A folder that the suite uses as its node_modules. */
  readonly modulesOf?: (folder: string) => string;
  /**
   * The files of a suite by name. When they run they read `plan.json` or `plan.txt`, and append a line to `ran.log`
   * with the name of each test whose body ran.
   */
  readonly filesOf: (suite: RandomSuite) => Readonly<Record<string, string>>;
  /** The path of its reports; default: `report.xml`. */
  readonly reports?: string;
  /** The command that runs these files. */
  readonly commandOf: (suite: RandomSuite, files: readonly RandomFile[], folder: string) => readonly string[];
}
