import { join } from 'node:path';
import type { Registry } from 'prom-client';

const ROOT = join(__dirname, '..', '..');

interface Families {
  /** Paths of the family's spec files, relative to the project root. */
  membersOf(family: string): readonly string[];
}

/**
 * Declares the tests of all spec files of a family (`test/families.cjs`) in one jest file, each in its own `describe`.
 * Resets environment variables, spies and metrics after each spec file.
 */
export function describeFamily(name: string): void {
  for (const spec of jest.requireActual<Families>('../families.cjs').membersOf(name)) {
    const title = spec.replace(/^test\//, '').replace(/\.spec\.ts$/, '');
    describe(`${title}`, () => {
      let variables: NodeJS.ProcessEnv;
      beforeAll(() => {
        variables = { ...process.env };
      });
      afterAll(() => {
        jest.restoreAllMocks();
        for (const variable of Object.keys(process.env)) if (!(variable in variables)) delete process.env[variable];
        Object.assign(process.env, variables);
        jest.requireActual<{ readonly register: Registry }>('prom-client').register.resetMetrics();
      });
      jest.requireActual(join(ROOT, spec));
    });
  }
}
