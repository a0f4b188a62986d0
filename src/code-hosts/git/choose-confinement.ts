import { chmod, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Config } from '../../platform/config/config';
import { canReach } from '../../platform/embedded-postgres/server-user';
import { CheckLog, runCheck } from './check-runner/check-process';
import { giveAway } from './check-runner/check-folder';
import { clearAway, type Confinement, makeFolderFor, programFor } from './check-runner/confinement';
import { shellWord } from './check-runner/namespaces';
import { type PrivatePaths, privatePathsOf } from './check-runner/private-paths';
import { USER_RANGES } from './check-runner/user-ranges';
import { viewOfMachine } from './check-runner/view-of-machine';

/** Whether the service runs checks, and how it separates them from itself. */
export type CheckMode =
  | { readonly type: 'off' }
  /**
   * The configuration asks for checks, but the service cannot confine them. `why` and `wayOut` are sentences without a
   * full stop.
   */
  | { readonly type: 'refused'; readonly why: string; readonly wayOut: string }
  | { readonly type: 'runs'; readonly confinement: Confinement };

/** The check mode without the parts that only this process can use, to show to people. */
export type ToldCheckMode =
  Exclude<CheckMode, { type: 'runs' }> | { readonly type: 'runs'; readonly confinement: Pick<Confinement, 'type'> };

export function toldCheckMode(mode: CheckMode): ToldCheckMode {
  return mode.type === 'runs' ? { type: 'runs', confinement: { type: mode.confinement.type } } : mode;
}

/** The result of a trial on this machine. */
type Trial =
  | { readonly type: 'works' }
  | { readonly type: 'cannot'; readonly why: string; readonly wayOut?: string }
  /** The separation works, but a check can read these paths. */
  | { readonly type: 'reads'; readonly paths: readonly string[] };

const ACCEPT = 'or accept with SLUICE_CHECK_RUNNER=unconfined that checks can do what the service can';
const CAPABILITIES =
  'Leave the service the capabilities SETUID, SETGID, CHOWN, KILL, DAC_OVERRIDE and FOWNER, which containers have by default';
const NAMESPACES =
  'Install unshare of util-linux 2.38 or newer and allow user namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0; in a container see docs/check-runner.md), or start the service as root';
const UNREACHABLE: Trial = {
  type: 'cannot',
  why: `they could not open the folder for temporary files, ${tmpdir()}`,
  wayOut: 'Set TMPDIR to a folder that all users can enter, such as /tmp',
};
const LIMITS = { milliseconds: 10_000, memoryMiB: 512, processes: 512, fileMiB: 16, outputMiB: 1 };

/** Finds out what the machine allows: runs a check that tries to read private paths. */
export async function chooseConfinement(config: Config): Promise<CheckMode> {
  if (config.checkRunner === 'off') return { type: 'off' };
  const hidden = privatePathsOf(config);
  const objections: Objection[] = [];
  for (const confinement of possibleHere(hidden)) {
    const trial = await tryOut(confinement, hidden);
    if (trial.type === 'works') return { type: 'runs', confinement };
    objections.push(objectionTo(trial, confinement));
  }
  const objection = objections.find(({ atLeast }) => atLeast.type !== 'none') ?? objections[0] ?? ONLY_LINUX;
  if (config.checkRunner === 'unconfined') return { type: 'runs', confinement: objection.atLeast };
  return { type: 'refused', why: objection.why, wayOut: `${objection.wayOut}; ${ACCEPT}` };
}

function possibleHere(hidden: PrivatePaths): readonly Confinement[] {
  if (process.platform !== 'linux') return [];
  if (process.getuid?.() === 0) return USER_RANGES.map((range) => ({ type: 'own users', range }));
  return [{ type: 'namespaces', view: viewOfMachine(hidden) }];
}

/**
 * In the data directory, takes all users' rights from paths that no check may read. Only a service that runs as root
 * has checks of other users.
 */
export async function lockDataDirectory(config: Config): Promise<void> {
  if (process.getuid?.() !== 0 || config.checkRunner === 'off') return;
  const { dataDirectory, folders } = privatePathsOf(config);
  await withhold(dataDirectory, 0o006);
  for (const folder of folders.filter((one) => one.startsWith(`${dataDirectory}/`))) await withhold(folder, 0o007);
}

async function withhold(path: string, bits: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && (found.mode & bits) !== 0) await chmod(path, found.mode & 0o7777 & ~bits);
}

async function tryOut(confinement: Confinement, hidden: PrivatePaths): Promise<Trial> {
  const log = new CheckLog();
  try {
    const folder = await makeFolderFor(confinement);
    try {
      if (folder.user !== null && !canReach(tmpdir(), { name: '', ...folder.user })) return UNREACHABLE;
      await giveAway(folder);
      const program = programFor(confinement, folder, lookAround(hidden), LIMITS);
      const end = await runCheck({ folder, program, limits: LIMITS, signal: new AbortController().signal }, log);
      const lines = log.toString().trim().split('\n');
      if (end.type !== 'exited' || end.code !== 0) return { type: 'cannot', why: lines.at(-1) ?? end.type };
      const paths = lines.filter((line) => line !== '');
      return paths.length === 0 ? { type: 'works' } : { type: 'reads', paths };
    } finally {
      await clearAway(folder);
    }
  } catch (error) {
    return { type: 'cannot', why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The shell command of the trial. It prints the private paths that it can read, and fails if it cannot write into its
 * own folders. The caller ends all processes that it leaves.
 */
function lookAround({ dataDirectory, folders, files }: PrivatePaths): string {
  const words = (paths: readonly string[]): string => paths.map(shellWord).join(' ');
  return [
    `for folder in ${words(folders)}; do if [ -r "$folder" ] || [ -x "$folder" ]; then echo "$folder"; fi; done`,
    `if [ -r ${shellWord(dataDirectory)} ]; then echo ${shellWord(dataDirectory)}; fi`,
    `for file in ${words(files)}; do if [ -s "$file" ] && [ -r "$file" ]; then echo "$file"; fi; done`,
    'touch here "$HOME/there" "$TMPDIR/there" || exit 1',
    '(sleep 600 >/dev/null 2>&1 &)',
  ].join('\n');
}

interface Objection {
  readonly why: string;
  readonly wayOut: string;
  /** The best separation that is possible nevertheless. */
  readonly atLeast: Confinement;
}

const ONLY_LINUX: Objection = {
  why: 'only on Linux, checks have their own users or namespaces',
  wayOut: 'Run the service on Linux',
  atLeast: { type: 'none' },
};

function objectionTo(trial: Exclude<Trial, { type: 'works' }>, confinement: Confinement): Objection {
  if (trial.type === 'reads') {
    const paths = trial.paths.join(' ');
    const wayOut = `Run chmod o-rwx ${paths} and start the service again`;
    return {
      why: `every user of the machine can read ${paths}, so that checks could, too`,
      wayOut,
      atLeast: confinement,
    };
  }
  const isOfUsers = confinement.type === 'own users';
  const { why, wayOut = isOfUsers ? CAPABILITIES : NAMESPACES } = trial;
  const what = isOfUsers ? 'users' : 'namespaces';
  return { why: `checks cannot have ${what} of their own (${why})`, wayOut, atLeast: { type: 'none' } };
}
