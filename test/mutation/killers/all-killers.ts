import type { Compiler } from '../project/changed-project';
import type { Killer } from './killer';
import { specFiles } from './spec-files';

const SIMULATION = /^test\/simulation\/.*\.spec\.ts$/;
const EXAMPLES = /^(src\/engine\/.*|test\/scenarios\/engine)\.spec\.ts$/;

/** In this order, until one finds a problem: a few days find most, and what survives gets all that we have. */
export function allKillers(compiler: Compiler, seed: number): readonly Killer[] {
  return [
    specFiles(compiler, { name: 'a few days', files: SIMULATION, days: 50, seed }),
    specFiles(compiler, { name: 'examples', files: EXAMPLES, days: 0, seed }),
    specFiles(compiler, { name: 'many days', files: SIMULATION, days: 400, seed: seed + 1 }),
  ];
}
