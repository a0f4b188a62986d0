import * as fc from 'fast-check';
import { ChangedProject, type Compiler } from '../project/changed-project';
import type { Killer } from './killer';
import { SpecInProcess } from './spec-in-process';

interface SpecFiles {
  readonly name: string;
  readonly files: RegExp;
  /** Random days per property, for specs that play random days. */
  readonly days: number;
  readonly seed: number;
}

/** A killer that runs the specs in these files, with the same random days for every mutant. */
export function specFiles(compiler: Compiler, { name, files, days, seed }: SpecFiles): Killer {
  const asItIs = new ChangedProject(compiler, null);
  const specs = [...compiler.sources.keys()]
    .filter((file) => files.test(file))
    .map((file) => ({ file, reached: asItIs.load(file, new SpecInProcess().words).files }));
  return {
    name,
    async problemOf(project) {
      process.env.SLUICE_SIMULATED_DAYS = String(days);
      // Any counterexample is enough, because nobody reads the smallest one.
      fc.configureGlobal({ seed, endOnFailure: true });
      const { changed } = project;
      for (const { file } of specs.filter(({ reached }) => changed === null || reached.has(changed.file))) {
        const spec = new SpecInProcess();
        project.load(file, spec.words);
        const problem = await spec.run();
        if (problem !== null) return problem;
      }
      return null;
    },
  };
}
