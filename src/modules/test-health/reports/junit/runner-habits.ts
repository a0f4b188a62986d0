import type { Attributes } from '../bounded-xml';

const PLAYWRIGHT_ROOT = ['id', 'name', 'tests', 'failures', 'skipped', 'errors', 'time'];
const PLAYWRIGHT_SUITE = ['name', 'timestamp', 'hostname', 'tests', 'failures', 'skipped', 'time', 'errors'];

/**
 * The Playwright project of a suite, which is in its `hostname`; '' for other runners. Those write the name of the
 * machine there, which often changes, so the attributes must be exactly Playwright's.
 */
export function projectOf(root: Attributes, suite: Attributes): string {
  return isPlaywright(root, suite) ? (suite.hostname ?? '') : '';
}

export function isPlaywright(root: Attributes, suite: Attributes): boolean {
  return hasJust(root, PLAYWRIGHT_ROOT) && hasJust(suite, PLAYWRIGHT_SUITE);
}

/**
 * Whether later suites without a file belong to the file that this suite names, or to none. Under Cypress,
 * mocha-junit-reporter writes the file at the root suite only, which is a sibling of the others.
 */
export function beginsFile(root: Attributes, suite: Attributes): boolean {
  return root.name === 'Mocha Tests' && (suite.name === 'Root Suite' || Boolean(suite.file));
}

function hasJust(attributes: Attributes, names: readonly string[]): boolean {
  const own = Object.keys(attributes);
  return own.length === names.length && names.every((name) => attributes[name] !== undefined);
}
