import { parse } from 'yaml';
import { runGit } from '../bare-repository';
import type { GiteaRepositoryDouble } from './repository-double';
import type { WorkflowRunDouble } from './workflow-runs';

const FOLDER = '.gitea/workflows/';

interface Workflow {
  readonly name: string;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress'?: boolean };
  readonly jobs: Readonly<
    Record<string, { readonly name: string; readonly steps: readonly [{ readonly run: string }] }>
  >;
}

/** The runs in each concurrency group of a repository, by the name of the group. */
const GROUPS = new WeakMap<object, Map<string, WorkflowRunDouble[]>>();

/**
 * Runs the workflow files of a push as far as tests need it. A job has one step: `exit 0`, `exit 1`, or a step that
 * lasts until the job is cancelled. Jobs end in the order of the file.
 */
export function runPushedWorkflows(place: GiteaRepositoryDouble, branch: string, commit: string): void {
  const { bare } = place.record.world;
  const files = runGit(bare, ['ls-tree', '-r', '--name-only', commit, '--', FOLDER]).split('\n');
  for (const path of files.filter((one) => one !== '')) {
    const workflow = parse(runGit(bare, ['show', `${commit}:${path}`])) as Workflow;
    const file = path.slice(FOLDER.length);
    const run = place.startWorkflow(commit, file, { event: 'push', name: workflow.name, branch });
    const group = groupOf(place, workflow);
    if (workflow.concurrency?.['cancel-in-progress']) for (const other of group) other.cancel();
    group.push(run);
    for (const { name, steps } of Object.values(workflow.jobs)) {
      const [{ run: step }] = steps;
      run.addJob(name, step === 'exit 0' ? 'success' : step === 'exit 1' ? 'failure' : 'in_progress');
    }
  }
}

function groupOf({ record }: GiteaRepositoryDouble, { concurrency }: Workflow): WorkflowRunDouble[] {
  if (concurrency === undefined) return [];
  const groups = GROUPS.get(record) ?? new Map<string, WorkflowRunDouble[]>();
  GROUPS.set(record, groups);
  const known = groups.get(concurrency.group) ?? [];
  groups.set(concurrency.group, known);
  return known;
}
