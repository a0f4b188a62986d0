import type { Compiler } from '../project/changed-project';
import type { Killer } from './killer';
import { specFiles } from './spec-files';

const SIMULATION = /^test\/simulation\/.*\.spec\.ts$/;
const SHORT_DAYS = /^test\/simulation\/short-days\.spec\.ts$/;
const ENGINE = /^src\/(engine|processing\/replay)\/.*\.spec\.ts$/;
const TEST_HEALTH = /^src\/modules\/test-health\/rules\/.*\.spec\.ts$/;
const SCENARIOS = /^test\/scenarios\/engine\.spec\.ts$/;

/**
 * The killers run in this order until one finds a problem. Quick killers come first, because they find most mutants. A
 * surviving mutant is judged by all killers.
 */
export function allKillers(compiler: Compiler, seed: number): readonly Killer[] {
  return [
    specFiles(compiler, { name: 'short days', files: SHORT_DAYS, days: 50, seed }),
    specFiles(compiler, { name: 'examples', files: ENGINE, days: 0, seed }),
    specFiles(compiler, { name: 'examples of test health', files: TEST_HEALTH, days: 0, seed }),
    specFiles(compiler, { name: 'scenarios', files: SCENARIOS, days: 0, seed }),
    specFiles(compiler, { name: 'a few days', files: SIMULATION, days: 50, seed: seed + 1 }),
    specFiles(compiler, { name: 'many days', files: SIMULATION, days: 400, seed: seed + 2 }),
  ];
}
