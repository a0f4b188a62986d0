import { type Finding, problem, unknown } from '../domain/host-examination';
import { matchesGlob } from '../domain/glob-set';
import { parseYaml } from '../platform/yaml';
import { at, listAt, textAt } from './reading';

/**
 * Matches expressions of workflow files. The name of a concurrency group that contains such an expression is different
 * for each branch, pull request, commit or run.
 */
const OF_ONE_BRANCH =
  /\b(github|gitea|forgejo|forge)\.(ref|ref_name|head_ref|sha|run_id|run_number|event\.(number|after|pull_request)|event_number)\b/;
const MOST_FILES = 50;

/** The folders of workflow files, and a function that reads a file or lists a folder. */
export interface WorkflowFolders {
  readonly folders: readonly string[];
  /** The body of the host's answer; null if nothing is at the path. A string explains why there is no answer. */
  read(this: void, path: string): Promise<{ readonly body: unknown } | null | string>;
}

/**
 * Finds concurrency groups in the workflow files of a branch because of which CI would cancel jobs of one testing
 * branch when it tests another.
 */
export async function examineGroups(
  about: string,
  testingBranch: string,
  { folders, read }: WorkflowFolders,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const folder of folders) {
    const list = await read(folder);
    if (typeof list === 'string') return [unknown(about, `the concurrency groups of its workflows: ${list}`)];
    const paths = listAt(list?.body).flatMap((one) => textAt(one, 'path') ?? []);
    for (const path of paths.filter((name) => /\.ya?ml$/.test(name)).slice(0, MOST_FILES)) {
      const file = await read(path);
      if (typeof file === 'string' || file === null) continue;
      const text = Buffer.from(textAt(file.body, 'content') ?? '', 'base64').toString('utf8');
      findings.push(...groupsAcrossBranches(text, testingBranch).map((group) => sharedGroup(about, path, group)));
    }
  }
  return findings;
}

function sharedGroup(about: string, path: string, group: string): Finding {
  const what = `the concurrency group "${group}" of ${path} is the same for all branches, so CI cancels tests of the queue for other tests`;
  return problem(about, what, `Add the branch to the group: "${group}-\${{ github.ref }}".`);
}

/**
 * The names of concurrency groups that several testing branches share, as they are written. Empty if the workflow has
 * none or does not run for testing branches, or if the text cannot be read.
 */
export function groupsAcrossBranches(text: string, testingBranch: string): readonly string[] {
  const file = parseYaml(text);
  if (file.type === 'problem' || !runsFor(at(file.value, 'on'), testingBranch)) return [];
  const jobs = Object.values((at(file.value, 'jobs') ?? {}) as Record<string, unknown>);
  const groups = [file.value, ...jobs].flatMap((holder) => groupOf(at(holder, 'concurrency')) ?? []);
  return [...new Set(groups)].filter((group) => !OF_ONE_BRANCH.test(group));
}

function groupOf(concurrency: unknown): string | null {
  return typeof concurrency === 'string' ? concurrency : textAt(concurrency, 'group');
}

/** Whether the workflow runs for a push of the testing branch, or for its pull request. */
function runsFor(on: unknown, testingBranch: string): boolean {
  const events =
    typeof on === 'string' ? [on] : Array.isArray(on) ? (on as unknown[]) : Object.keys(Object(on) as object);
  if (events.includes('pull_request') || events.includes('pull_request_target')) return true;
  if (!events.includes('push')) return false;
  const push = at(on, 'push');
  if (at(push, 'branches') === undefined) return at(push, 'tags') === undefined;
  const patterns = [at(push, 'branches')].flat().filter((one) => typeof one === 'string');
  // At the code host, `*` does not match a slash; here it does. A group named wrongly does less harm than a group that
  // is missed.
  return patterns.some((pattern) => matchesGlob(pattern, testingBranch, 'stars'));
}
