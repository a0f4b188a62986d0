/** The first files of the demo's repository, and the pull requests that the demo submits. */

export interface DemoPullRequest {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  /** The files that the pull request's only commit writes. */
  readonly files: Readonly<Record<string, string>>;
  /** The expected conclusion. */
  readonly ends: { readonly state: 'merged' | 'failed' | 'cancelled'; readonly reason: string };
  /** The time at which the demo submits the pull request, and whether it cancels it. */
  readonly plan: 'at first' | 'at first, then cancelled' | 'late and urgent';
  /** The branch starts at the branch of the pull request with this number, and so contains that one's commit. */
  readonly on?: number;
  /** The impacted targets of the pull request, for the act in parallel mode. */
  readonly impactedTargets?: readonly string[];
}

export const DEMO_BRANCH = 'main';
const DEMO_STATUS = 'test';

/** The test is a shell script, because every machine with git can run shell scripts. */
const TEST_PROGRAM = `#!/bin/sh
# Every widget has a name and a weight in grams, and the crate can carry all of them together.
cd "$(dirname "$0")" || exit 1
total=0
for file in widgets/*.txt; do
  name= weight=
  while read -r key value; do
    case $key in name:) name=$value ;; weight:) weight=$value ;; esac
  done <"$file"
  [ -n "$name" ] || { echo "$file: has no name"; exit 1; }
  case $weight in '' | *[!0-9]*) echo "$file: has no weight"; exit 1 ;; esac
  total=$((total + weight))
done
read -r limit <crate.txt
[ "$total" -le "$limit" ] || { echo "all widgets weigh $total g, the crate carries $limit g"; exit 1; }
echo "all widgets weigh $total g of $limit g"
`;

const CONFIGURATION = `# What must pass before anything is merged, and how the built-in check runner tests it.
merge:
  required_statuses: [${DEMO_STATUS}]
ci:
  ${DEMO_STATUS}: 'sleep 1; sh test.sh'
`;

export const FIRST_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Widgets\n\nEvery file under `widgets` is a widget; `sh test.sh` tests them.\n',
  'crate.txt': '1000\n',
  'test.sh': TEST_PROGRAM,
  '.sluice/sluice.yaml': CONFIGURATION,
  'widgets/gear.txt': widget('gear', 100),
};

const MERGED = { state: 'merged', reason: 'merge_graph_merge' } as const;
const TESTS_FAILED = { state: 'failed', reason: 'test_run_required_status_failed' } as const;

export const LINE_PULL_REQUESTS: readonly DemoPullRequest[] = [
  adds(1, 'bolt', 50, 'Ada'),
  adds(2, 'nut', 30, 'Grace'),
  {
    ...adds(3, 'washer', 10, 'Alan'),
    title: 'Add the washer, and forget its weight',
    files: { 'widgets/washer.txt': 'name: washer\n' },
    ends: TESTS_FAILED,
  },
  renamesGear(4, 'cogwheel', 'Barbara'),
  {
    ...renamesGear(5, 'toothed wheel', 'Edsger'),
    ends: { state: 'failed', reason: 'start_test_run_merge_conflict' },
  },
  adds(6, 'spring', 500, 'Katherine'),
  // Fits into the crate alone, but not together with the spring.
  { ...adds(7, 'anvil', 600, 'Donald'), ends: TESTS_FAILED },
  { ...adds(8, 'pulley', 60, 'Margaret'), title: 'Add the pulley, urgently', plan: 'late and urgent' },
  {
    ...adds(9, 'lever', 40, 'Dennis'),
    ends: { state: 'cancelled', reason: 'api_requested' },
    plan: 'at first, then cancelled',
  },
  adds(10, 'rivet', 20, 'Frances'),
];

export const BATCH_PULL_REQUESTS = batchWithCulprit(13, ['cam', 'pin', 'dowel', 'clip']);

export const FLOW_PULL_REQUESTS = batchWithCulprit(21, ['hook', 'ring', 'bracket', 'plate']);

export const STACK_PULL_REQUESTS: readonly DemoPullRequest[] = [
  adds(25, 'frame', 5, 'Radia'),
  { ...adds(26, 'door', 5, 'Radia'), on: 25 },
  { ...adds(27, 'handle', 5, 'Radia'), on: 26 },
];

export const OUTAGE_PULL_REQUESTS: readonly DemoPullRequest[] = [
  adds(28, 'valve', 5, 'Ada'),
  adds(29, 'gasket', 5, 'Grace'),
  { ...adds(30, 'fuse', 5, 'Margaret'), title: 'Add the fuse, urgently', plan: 'late and urgent' },
];

export const LANES_PULL_REQUESTS: readonly DemoPullRequest[] = [
  { ...adds(17, 'shaft', 5, 'Edsger'), impactedTargets: ['widgets:drive'] },
  { ...adds(18, 'belt', 5, 'Katherine'), impactedTargets: ['widgets:drive'] },
  { ...adds(19, 'label', 5, 'Donald'), impactedTargets: ['widgets:print'] },
  {
    ...adds(20, 'stamp', 5, 'Margaret'),
    title: 'Add the stamp, urgently',
    plan: 'late and urgent',
    impactedTargets: ['widgets:print'],
  },
];

export const DEMO_PULL_REQUESTS: readonly DemoPullRequest[] = [
  ...LINE_PULL_REQUESTS,
  ...BATCH_PULL_REQUESTS,
  ...FLOW_PULL_REQUESTS,
  ...STACK_PULL_REQUESTS,
  ...OUTAGE_PULL_REQUESTS,
  ...LANES_PULL_REQUESTS,
];

/** Pull requests that stay open: readers can submit them with the examples of the Swagger UI after the demo. */
export const DEMO_LEFT_OPEN: readonly DemoPullRequest[] = [
  adds(11, 'axle', 70, 'Radia'),
  adds(12, 'hinge', 15, 'Barbara'),
];

function adds(number: number, name: string, weight: number, author: string): DemoPullRequest {
  const files = { [`widgets/${name}.txt`]: widget(name, weight) };
  return { number, title: `Add the ${name}`, author, files, ends: MERGED, plan: 'at first' };
}

/** Two of these pull requests write the same line, so the second one conflicts. */
function renamesGear(number: number, name: string, author: string): DemoPullRequest {
  const files = { 'widgets/gear.txt': widget(name, 100) };
  return { number, title: `Call the gear a ${name}`, author, files, ends: MERGED, plan: 'at first' };
}

function widget(name: string, weight: number): string {
  return `name: ${name}\nweight: ${weight}\n`;
}

/** The third pull request fails the repository's test. */
function batchWithCulprit(
  first: number,
  [one, two, culprit, last]: readonly [string, string, string, string],
): readonly DemoPullRequest[] {
  return [
    adds(first, one, 5, 'Ada'),
    adds(first + 1, two, 5, 'Grace'),
    {
      ...adds(first + 2, culprit, 5, 'Alan'),
      title: `Add the ${culprit}, and forget its weight`,
      files: { [`widgets/${culprit}.txt`]: `name: ${culprit}\n` },
      ends: TESTS_FAILED,
    },
    adds(first + 3, last, 5, 'Barbara'),
  ];
}
