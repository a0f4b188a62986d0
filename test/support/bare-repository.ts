import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CommitOptions, commitStream, type FileChanges } from './commit-stream';
import { outputOfProgram } from './small-process';

const WHEN = '2026-01-02T03:04:05Z';

/** A plain repository as its users see it, with their actions. The actions use ordinary git. */
export class BareRepository {
  private constructor(
    /** The folder with all files. `close` removes it. */
    readonly folder: string,
    readonly bare: string,
  ) {}

  /** Creates `repositories/<owner>/<name>.git` in a temporary folder, with one commit on `main`. */
  static create(owner = 'acme', name = 'widgets', files: FileChanges = { 'README.md': 'hello\n' }): BareRepository {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-git-'));
    const world = BareRepository.in(folder, owner, name, files);
    // When the tests run as root, checks run as other users, who must not read the folder.
    chmodSync(join(folder, 'repositories'), 0o700);
    return world;
  }

  private static in(folder: string, owner: string, name: string, files: FileChanges): BareRepository {
    const bare = join(folder, 'repositories', owner, `${name}.git`);
    mkdirSync(bare, { recursive: true });
    const world = new BareRepository(folder, bare);
    world.begin(files);
    return world;
  }

  /** Creates another repository in the same folder, which is removed together with this one. */
  neighbour(owner: string, name: string): BareRepository {
    return BareRepository.in(this.folder, owner, name, { 'README.md': 'hello\n' });
  }

  /**
   * Makes the first commit. If an earlier repository had the same first files, copies its files, because git would take
   * fifty times as long.
   */
  private begin(files: FileChanges): void {
    const key = JSON.stringify(files);
    const before = BEGINNINGS.get(key);
    if (before !== undefined) return writeFiles(this.bare, before);
    this.inBare('init', '--quiet', '--bare', '--initial-branch=main', '--template=');
    // Without this setting, git would start two programs after every push, which would find nothing to tidy up.
    this.inBare('config', 'receive.autogc', 'false');
    this.commitTo('refs/heads/main', null, files, { title: 'start' });
    BEGINNINGS.set(key, readFiles(this.bare));
  }

  /** The URL template of this repository and its neighbours, as the configuration of a host has it. */
  get urlTemplate(): string {
    return join(this.folder, 'repositories', '{owner}', '{name}.git');
  }

  /** The path of a data folder for a service that uses the repository. The folder does not exist yet. */
  get dataDirectory(): string {
    return join(this.folder, 'data');
  }

  /** Runs git in the repository and returns its output without the final newline. */
  inBare(...args: string[]): string {
    return runGit(this.bare, args);
  }

  /** Opens a pull request: `refs/pull/<number>/head`, with one commit on `from`. Returns the head. */
  openPullRequest(number: number, files: FileChanges, options: CommitOptions = {}): string {
    const from = options.from ?? this.tip('main');
    return this.commitTo(`refs/pull/${number}/head`, from, files, { title: `Change ${number}`, ...options });
  }

  /** Adds a commit to the pull request. Returns the new head. */
  pushToPullRequest(number: number, files: FileChanges, options: CommitOptions = {}): string {
    return this.openPullRequest(number, files, { from: this.head(number) ?? undefined, ...options });
  }

  /** Sets the head of the pull request to any commit, like a forced push. */
  setPullRequest(number: number, commit: string): void {
    this.setRef(`refs/pull/${number}/head`, commit);
  }

  closePullRequest(number: number): void {
    this.inBare('update-ref', '-d', `refs/pull/${number}/head`);
  }

  /** Pushes to a branch, bypassing the queue. Returns the new tip. */
  pushTo(branch: string, files: FileChanges, title = 'a push that bypasses the queue'): string {
    return this.commitTo(`refs/heads/${branch}`, this.tip(branch), files, { title });
  }

  /** Sets a branch to any commit by force. Creates the branch if it is missing. */
  setBranch(branch: string, commit: string): void {
    this.setRef(`refs/heads/${branch}`, commit);
  }

  /** Sets the ref as `git update-ref` does: writes a file for the ref under its lock. Starting git would be slow. */
  setRef(ref: string, commit: string): void {
    // If the file cannot be written, git reports or removes the obstacle.
    if (!this.isWritten(join(this.bare, ref), `${commit}\n`)) this.inBare('update-ref', ref, commit);
  }

  private isWritten(file: string, content: string): boolean {
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.lock`, content, { flag: 'wx' });
    } catch {
      return false;
    }
    try {
      renameSync(`${file}.lock`, file);
      return true;
    } catch {
      rmSync(`${file}.lock`);
      return false;
    }
  }

  removeBranch(branch: string): void {
    this.inBare('update-ref', '-d', `refs/heads/${branch}`);
  }

  /** The commit of a branch. Throws when the branch is missing. */
  tip(branch: string): string {
    const ref = `refs/heads/${branch}`;
    return this.looseRef(ref) ?? this.inBare('rev-parse', '--verify', ref);
  }

  head(number: number): string | null {
    const ref = `refs/pull/${number}/head`;
    return this.looseRef(ref) ?? (this.inBare('for-each-ref', '--format=%(objectname)', ref) || null);
  }

  /** The commit of a ref that has its own file, as recently moved refs have. Null if the ref has no file. */
  private looseRef(ref: string): string | null {
    try {
      return /^[0-9a-f]{40}$/m.exec(readFileSync(join(this.bare, ref), 'latin1'))?.[0] ?? null;
    } catch {
      return null;
    }
  }

  /** Names of all branches, sorted. */
  branches(): string[] {
    return [...readBranches(this.bare).keys()];
  }

  /** Paths and contents of all files of a commit. */
  files(commit: string): Record<string, string> {
    const entries = this.inBare('ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
    const listed = entries.map((entry) => /^\d+ \w+ ([0-9a-f]+)\t([^]+)$/.exec(entry)!.slice(1) as [string, string]);
    const contents = this.contentsOf(listed.map(([blob]) => blob));
    return Object.fromEntries(listed.map(([, path], index) => [path, contents[index]!]));
  }

  private contentsOf(blobs: readonly string[]): string[] {
    let rest = bytesOf(this.bare, ['cat-file', '--batch=%(objectsize)'], Buffer.from(blobs.join('\n')));
    return blobs.map(() => {
      const begin = rest.indexOf('\n') + 1;
      const end = begin + Number(rest.subarray(0, begin));
      const content = rest.subarray(begin, end).toString();
      rest = rest.subarray(end + 1);
      return content;
    });
  }

  /**
   * Makes a commit on `parent` and sets the ref to it. Returns the id of the commit. Throws when force is needed and
   * not allowed.
   */
  commitTo(ref: string, parent: string | null, files: FileChanges, options: CommitOptions = {}): string {
    const stream = commitStream(ref, parent, files, options);
    const force = options.isForced === false ? [] : ['--force'];
    return outputOf(this.bare, ['fast-import', '--quiet', ...force], {}, stream).trim();
  }

  /** Runs a stream of commands in `git fast-import`. */
  fastImport(stream: string): void {
    outputOf(this.bare, ['fast-import', '--quiet', '--force'], {}, Buffer.from(stream));
  }

  /** Installs a server hook, which is a script for `sh`, in place of any hook with the same name. */
  installHook(name: string, script: string): void {
    const hooks = join(this.bare, 'hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(hooks, name), 0o755);
  }

  removeHook(name: string): void {
    rmSync(join(this.bare, 'hooks', name), { force: true });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type Files = readonly (readonly [path: string, content: Buffer])[];

/** The files of new repositories, by the files of their first commit. */
const BEGINNINGS = new Map<string, Files>();

function readFiles(folder: string): Files {
  return namesIn(folder).map((name) => [name, readFileSync(join(folder, name))]);
}

/** The paths of all files in the folder. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function writeFiles(folder: string, files: Files): void {
  // git takes a folder for a repository only if it has these two folders, even if they are empty.
  for (const needed of ['objects', 'refs']) mkdirSync(join(folder, needed), { recursive: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Every branch with its commit, sorted by name. Reads git's files, because mock hosts call this after each push and
 * starting git is slow.
 */
export function readBranches(bare: string): Map<string, string> {
  const packed = [...textOf(join(bare, 'packed-refs')).matchAll(/^([0-9a-f]{40}) refs\/heads\/(.+)$/gm)];
  const branches = new Map(packed.map(([, commit, name]) => [name!, commit!]));
  const folder = join(bare, 'refs', 'heads');
  for (const name of namesIn(folder)) {
    const commit = textOf(join(folder, name)).trim();
    if (/^[0-9a-f]{40}$/.test(commit) && !name.endsWith('.lock')) branches.set(name, commit);
  }
  return new Map([...branches].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

/** The text of the file; empty when the file is missing or has just vanished, because git may be at work. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/**
 * Runs ordinary git with fixed people and dates, so that ids of commits can be compared. Returns its output without the
 * final newline.
 */
export function runGit(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return outputOf(cwd, args, env).replace(/\n$/, '');
}

function outputOf(cwd: string, args: readonly string[], env: Record<string, string> = {}, input?: Buffer): string {
  return bytesOf(cwd, args, input, env).toString();
}

function bytesOf(cwd: string, args: readonly string[], input?: Buffer, env: Record<string, string> = {}): Buffer {
  const fixed = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: WHEN,
    GIT_COMMITTER_DATE: WHEN,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    ...env,
  };
  return outputOfProgram('git', ['-c', 'gc.auto=0', ...args], { cwd, env: fixed, input });
}
