import { type ProcessOrder, startProcess } from '../../platform/processes/process-starter';

const DEFAULT_LIMIT_MS = 60_000;
const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;
const STDERR_BYTES = 64 * 1024;

/** The limits of one git process. If it exceeds them, the objects are too large, and the machine is not at fault. */
export interface GitLimits {
  readonly cpuSeconds: number;
  readonly memoryMiB: number;
  /** The maximum size of each file that the process writes. */
  readonly fileMiB: number;
}

export interface GitCall {
  /** The limits of the process. Absent: no limits. */
  readonly limits?: GitLimits;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly maxOutputBytes?: number;
}

export interface GitResult {
  /** The exit code, by which git also answers: 1 means "conflict" or "no". */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** git gave no result: it could not be started, was killed, took too long or wrote too much. */
export class GitStopped extends Error {
  override readonly name = 'GitStopped';
}

/**
 * git cannot carry out the command with these objects, and a retry will not help: they exceed the limits, or make git
 * crash.
 */
export class GitRefused extends Error {
  override readonly name = 'GitRefused';
}

/** git ended with an exit code that the caller does not expect. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed';
  constructor(
    command: string,
    readonly result: GitResult,
  ) {
    super(`git ${command} ended with ${result.code}: ${lastLine(result.stderr)}`);
  }
}

/**
 * Runs git without a shell, without the settings of the machine or its users, without prompts and hooks. Hooks, gc and
 * transports are set on the command line. git does not pass command-line settings to the other side of a push or fetch,
 * so the hooks of a repository on disk still run.
 */
export class GitCommand {
  private readonly env: Readonly<Record<string, string>>;

  constructor(
    env: Readonly<Record<string, string>>,
    /** The only configuration file that git reads. The file must exist. */
    configFile: string,
    private readonly settings: readonly string[] = [],
  ) {
    this.env = {
      ...env,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: configFile,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/false',
    };
  }

  /**
   * A command with additional environment variables and `name=value` settings, for example for one repository or one
   * remote.
   */
  with(env: Readonly<Record<string, string>>, settings: readonly string[] = []): GitCommand {
    const { GIT_CONFIG_GLOBAL: configFile = '/dev/null', ...inherited } = this.env;
    return new GitCommand({ ...inherited, ...env }, configFile, [...this.settings, ...settings]);
  }

  /**
   * Runs git and returns its output. Throws GitFailed if git ends with another exit code than 0, and GitStopped if git
   * gives no result.
   */
  async run(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
    const result = await this.ask(args, call);
    if (result.code !== 0) throw new GitFailed(args[0] ?? '', result);
    return result.stdout;
  }

  /** Runs git and returns its output with any exit code. Throws only GitStopped. */
  ask(args: readonly string[], call: GitCall = {}): Promise<GitResult> {
    const settings = [...FIXED_SETTINGS, ...this.settings].flatMap((setting) => ['-c', setting]);
    const [file, all] = limited([...settings, ...args], call.limits);
    const order = { file, args: all, env: { ...this.env, ...call.env }, cwd: call.cwd, input: call.input ?? '' };
    return resultOf(order, `git ${args[0] ?? ''}`, call);
  }
}

/**
 * The shell script that sets the limits. A limit that the machine does not support, or has already set lower, stays
 * unchanged.
 */
const WITH_LIMITS =
  'for limit in c:0 "t:$1" "d:$2" "f:$3"; do ulimit -S -"${limit%%:*}" "${limit#*:}" 2>/dev/null || :; done; shift 3; exec git "$@"';
const KIB = 1_024;
/** The unit of `ulimit -f`. */
const BLOCKS_PER_MIB = 2_048;

function limited(args: readonly string[], limits: GitLimits | undefined): [string, string[]] {
  if (limits === undefined) return ['git', [...args]];
  const { cpuSeconds, memoryMiB, fileMiB } = limits;
  const values = [cpuSeconds, memoryMiB * KIB, fileMiB * BLOCKS_PER_MIB].map(String);
  return ['/bin/sh', ['-c', WITH_LIMITS, 'sh', ...values, ...args]];
}

const FIXED_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
];

function resultOf(order: ProcessOrder, what: string, call: GitCall): Promise<GitResult> {
  const limitMs = call.limitMs ?? DEFAULT_LIMIT_MS;
  const maxBytes = call.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  const stdout: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  return new Promise((resolve, reject) => {
    const end = (refusal: Error): void => {
      kill();
      reject(refusal);
    };
    const stop = (why: string): void => end(new GitStopped(`${what} ${why}`));
    const timer = setTimeout(() => stop(`took longer than ${limitMs / 1000} s`), limitMs);
    const onAbort = (): void => stop('was stopped');
    const ended = (): void => {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    };
    const kill = startProcess(order, {
      stdout: (chunk) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) stdout.push(chunk);
        else end(new GitRefused(`${what} wrote more than ${maxBytes} bytes`));
      },
      stderr: (chunk) => {
        stderr = (stderr + chunk.toString()).slice(-STDERR_BYTES);
      },
      failed: (why) => {
        ended();
        reject(new GitStopped(`${what} could not be started: ${why}`));
      },
      closed: (code, signal) => {
        ended();
        const refusal = refusalOf(call.limits, signal, code === 0 ? '' : stderr);
        if (refusal !== null) reject(new GitRefused(`${what} ${refusal}`));
        else if (code === null) reject(new GitStopped(`${what} was ended by ${signal}`));
        else resolve({ code, stdout: Buffer.concat(stdout), stderr });
      },
    });
    if (call.signal?.aborted) onAbort();
    call.signal?.addEventListener('abort', onAbort);
  });
}

/** Matches the signals of a crash of git itself. Git reports the signals of its child processes by number. */
const BROKE_OFF = /^SIG(SEGV|ABRT|BUS|ILL|FPE)$/;

/**
 * Why git refuses the objects; null for other failures. Git's messages about its child processes count, but the host's
 * messages about its own processes do not.
 */
function refusalOf(limits: GitLimits | undefined, signal: string | null, stderr: string): string | null {
  const said = stderr.replace(/^remote:.*$/gm, '');
  if (signal !== null && BROKE_OFF.test(signal)) return `broke off (${signal})`;
  if (limits === undefined) return null;
  const { cpuSeconds, memoryMiB, fileMiB } = limits;
  if (signal === 'SIGXCPU' || /died of signal 24\b/.test(said))
    return `needed more than ${cpuSeconds} s of a processor`;
  if (signal === 'SIGXFSZ' || /died of signal 25\b|File too large/.test(said))
    return `needed a file of more than ${fileMiB} MiB`;
  if (/out of memory|Cannot allocate memory/i.test(said)) return `needed more than ${memoryMiB} MiB of memory`;
  return null;
}

const SAYS_NOTHING =
  /^(fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.|error: failed to push some refs to .*|fatal: the remote end hung up unexpectedly)$/;

/** Whether the local disk was full. The host's messages about its own disk do not count. */
export function saysDiskIsFull(stderr: string): boolean {
  return diskLine(stderr.split('\n')) !== undefined;
}

/** Git's message about a full disk. The messages behind it are only consequences. */
function diskLine(lines: readonly string[]): string | undefined {
  return lines.find((line) => /no space left on device|disk quota exceeded/i.test(line) && !line.startsWith('remote:'));
}

/** The line with the cause, without the lines that git always adds. */
export function lastLine(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => line !== '' && !SAYS_NOTHING.test(line));
  const last = telling.findLast((line) => /^(fatal|error|remote|ssh):/.test(line));
  return diskLine(telling) ?? last ?? telling.at(-1) ?? lines[0] ?? '';
}
