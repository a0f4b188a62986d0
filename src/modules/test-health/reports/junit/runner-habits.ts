import type { Attributes } from '../bounded-xml';

const PLAYWRIGHT_ROOT = ['id', 'name', 'tests', 'failures', 'skipped', 'errors', 'time'];
const PLAYWRIGHT_SUITE = ['name', 'timestamp', 'hostname', 'tests', 'failures', 'skipped', 'time', 'errors'];

/**
 * The Playwright project of a suite, which is the suite's `hostname`; '' for other runners. Other runners write the
 * name of the machine in `hostname`. That name often changes, so the function requires exactly the attributes that
 * Playwright writes.
 */
export function projectOf(root: Attributes, suite: Attributes): string {
  return isPlaywright(root, suite) ? (suite.hostname ?? '') : '';
}

export function isPlaywright(root: Attributes, suite: Attributes): boolean {
  return hasJust(root, PLAYWRIGHT_ROOT) && hasJust(suite, PLAYWRIGHT_SUITE);
}

/**
 * Whether this suite decides the file of later suites without a file: the file that this suite names, or no file. Under
 * Cypress, mocha-junit-reporter writes the file only at the root suite, which is a sibling of the other suites.
 */
export function beginsFile(root: Attributes, suite: Attributes): boolean {
  return root.name === 'Mocha Tests' && (suite.name === 'Root Suite' || Boolean(suite.file));
}

function hasJust(attributes: Attributes, names: readonly string[]): boolean {
  const own = Object.keys(attributes);
  return own.length === names.length && names.every((name) => attributes[name] !== undefined);
}
