/** A part of the project to mutate, and the tests that must notice the mutants. */
export interface Area {
  readonly name: string;
  readonly files: RegExp;
  /**
   * Specs that need PostgreSQL or git, which jest runs for every mutant. If absent, the killers in this process judge
   * the mutants.
   */
  readonly specs?: readonly string[];
  /**
   * The number of mutants without `--limit`. This number is so small that a person can wait for a run without
   * arguments.
   */
  readonly usualLimit: number;
}

/** The killers in this process need about a second for a mutant, and half a minute for a mutant that survives. */
const MANY = 80;
/** jest needs half a minute to two minutes for a mutant. */
const A_FEW = 3;
/** Played only with `--limit`, because not every surviving mutant has an explanation yet. */
const ON_DEMAND = 0;

export const AREAS: readonly Area[] = [
  { name: 'engine', files: /^src\/engine\/(decide\.ts|steps\/|policy\/)/, usualLimit: MANY },
  { name: 'engine/flow', files: /^src\/engine\/flow(-facts)?\//, usualLimit: ON_DEMAND },
  { name: 'test-health/rules', files: /^src\/modules\/test-health\/rules\//, usualLimit: MANY },
  {
    name: 'outbox',
    files: /^src\/processing\/outbox\//,
    specs: [
      'test/integration/outbox.spec.ts',
      'test/integration/outbox-tasks.spec.ts',
      'test/integration/partial-landing.spec.ts',
      'test/integration/pull-request-views.spec.ts',
      'test/integration/triggers.spec.ts',
      'test/integration/untested-landings.spec.ts',
      'test/e2e/github-direct-merge.spec.ts',
    ],
    usualLimit: A_FEW,
  },
  {
    name: 'decisions',
    files: /^src\/processing\/(decisions|forecasts)\//,
    specs: [
      'src/processing/decisions/queue-turns.spec.ts',
      'src/processing/decisions/store/decision-record.spec.ts',
      'src/domain/glob-set.spec.ts',
      'src/processing/decisions/store/shared-targets.spec.ts',
      'src/processing/decisions/store/waiting-window.spec.ts',
      'test/integration/isolated-heads.spec.ts',
      'test/integration/queue-processing-depth.spec.ts',
      'test/integration/queue-processing-store.spec.ts',
      'test/integration/queue-processing-thread.spec.ts',
      'test/integration/shared-targets.spec.ts',
      'test/integration/target-sets.spec.ts',
      'test/integration/pull-request-views.spec.ts',
      'test/integration/two-instances.spec.ts',
    ],
    usualLimit: A_FEW,
  },
  {
    name: 'code-hosts/git',
    files: /^src\/code-hosts\/git\/(candidate|chain|commit-objects|landing|merge-attributes|objects|push|rebase)\.ts$/,
    specs: ['test/contract/git-porcelain.spec.ts', 'test/contract/git-host.spec.ts', 'test/contract/git.spec.ts'],
    usualLimit: A_FEW,
  },
  {
    name: 'code-hosts/github',
    files: /^src\/code-hosts\/github\/landing\//,
    specs: ['test/contract/github-landing.spec.ts', 'test/contract/github.spec.ts'],
    usualLimit: A_FEW,
  },
];
