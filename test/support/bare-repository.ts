import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WHEN = '2026-01-02T03:04:05Z';
const WHEN_RAW = '1767323045 +0000';

/** New content, or null to remove the file. */
export type FileChange =
  | string
  | Buffer
  | null
  | { readonly symlink: string }
  | { readonly executable: string }
  | { readonly renamedTo: string };

export type FileChanges = Readonly<Record<string, FileChange>>;

export interface CommitOptions {
  readonly title?: string;
  readonly body?: string;
  readonly author?: string;
  readonly email?: string;
  /** The commit it starts from; the present tip of `main` when absent. */
  readonly from?: string;
}

/** A plain repository as its users see it, and what they do there, by ordinary git. */
export class BareRepository {
  private constructor(
    /** The folder that holds everything, removed by `close`. */
    readonly folder: string,
    readonly bare: string,
  ) {}

  /** `repositories/<owner>/<name>.git` under a temporary folder, with one commit on `main`. */
  static create(owner = 'acme', name = 'widgets', files: FileChanges = { 'README.md': 'hello\n' }): BareRepository {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-git-'));
    const bare = join(folder, 'repositories', owner, `${name}.git`);
    mkdirSync(bare, { recursive: true });
    // Under root, checks are users of their own, who must not read it.
    chmodSync(join(folder, 'repositories'), 0o700);
    const world = new BareRepository(folder, bare);
    world.inBare('init', '--quiet', '--bare', '--initial-branch=main');
    world.commitTo('refs/heads/main', null, files, { title: 'start' });
    return world;
  }

  /** The address of this repository and its neighbours, as a host's configuration has it. */
  get urlTemplate(): string {
    return join(this.folder, 'repositories', '{owner}', '{name}.git');
  }

  /** A folder for a service that uses the repository; not there yet. */
  get dataDirectory(): string {
    return join(this.folder, 'data');
  }

  /** Runs git in the repository and answers what it wrote, without the newline at the end. */
  inBare(...args: string[]): string {
    return runGit(this.bare, args);
  }

  /** A pull request: `refs/pull/<number>/head`, one commit on `from`. Answers the head. */
  openPullRequest(number: number, files: FileChanges, options: CommitOptions = {}): string {
    const from = options.from ?? this.tip('main');
    return this.commitTo(`refs/pull/${number}/head`, from, files, { title: `Change ${number}`, ...options });
  }

  /** One more commit on the pull request; answers the new head. */
  pushToPullRequest(number: number, files: FileChanges, options: CommitOptions = {}): string {
    return this.openPullRequest(number, files, { from: this.head(number) ?? undefined, ...options });
  }

  /** Points the pull request at any commit, as a forced push does. */
  setPullRequest(number: number, commit: string): void {
    this.inBare('update-ref', `refs/pull/${number}/head`, commit);
  }

  closePullRequest(number: number): void {
    this.inBare('update-ref', '-d', `refs/pull/${number}/head`);
  }

  /** Somebody pushes to a branch past the queue; answers the new tip. */
  pushTo(branch: string, files: FileChanges, title = 'a push past the queue'): string {
    return this.commitTo(`refs/heads/${branch}`, this.tip(branch), files, { title });
  }

  /** Points a branch anywhere, by force; makes it when it is not there. */
  setBranch(branch: string, commit: string): void {
    this.inBare('update-ref', `refs/heads/${branch}`, commit);
  }

  removeBranch(branch: string): void {
    this.inBare('update-ref', '-d', `refs/heads/${branch}`);
  }

  /** The commit a branch points at; throws when there is none. */
  tip(branch: string): string {
    return this.inBare('rev-parse', '--verify', `refs/heads/${branch}`);
  }

  head(number: number): string | null {
    return this.inBare('for-each-ref', '--format=%(objectname)', `refs/pull/${number}/head`) || null;
  }

  /** Names of all branches, sorted. */
  branches(): string[] {
    const names = this.inBare('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').filter((name) => name !== '');
  }

  /** Path and content of every file of a commit. */
  files(commit: string): Record<string, string> {
    const paths = this.inBare('ls-tree', '-r', '-z', '--name-only', commit).split('\0').filter(Boolean);
    return Object.fromEntries(paths.map((path) => [path, outputOf(this.bare, ['show', `${commit}:${path}`])]));
  }

  /** One commit on `parent`, which the ref then points at; answers its id. */
  commitTo(ref: string, parent: string | null, files: FileChanges, options: CommitOptions = {}): string {
    const { title = 'a change', body = '', author = 'Ada', email = 'ada@example.com' } = options;
    const message = body === '' ? `${title}\n` : `${title}\n\n${body}\n`;
    const stream = [
      text(
        `commit ${ref}\nmark :1\nauthor ${author} <${email}> ${WHEN_RAW}\ncommitter Ada <ada@example.com> ${WHEN_RAW}\n`,
      ),
      data(message),
      text(parent === null ? '' : `from ${parent}\n`),
      ...Object.entries(files).map(([path, change]) => fileCommand(path, change)),
      text('\nget-mark :1\n'),
    ];
    return outputOf(this.bare, ['fast-import', '--quiet', '--force'], {}, Buffer.concat(stream)).trim();
  }

  /** Carries out a stream of commands for `git fast-import`. */
  fastImport(stream: string): void {
    outputOf(this.bare, ['fast-import', '--quiet', '--force'], {}, Buffer.from(stream));
  }

  /** A hook of the server: a script for `sh`, in place of the one of that name. */
  installHook(name: string, script: string): void {
    const hooks = join(this.bare, 'hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(hooks, name), 0o755);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function fileCommand(path: string, change: FileChange): Buffer {
  if (change === null) return text(`D ${quoted(path)}\n`);
  if (typeof change === 'string' || Buffer.isBuffer(change)) return file('100644', path, change);
  if ('symlink' in change) return file('120000', path, change.symlink);
  if ('renamedTo' in change) return text(`R ${quoted(path)} ${quoted(change.renamedTo)}\n`);
  return file('100755', path, change.executable);
}

function file(mode: string, path: string, content: string | Buffer): Buffer {
  return Buffer.concat([text(`M ${mode} inline ${quoted(path)}\n`), data(content)]);
}

function data(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([text(`data ${bytes.length}\n`), bytes, text('\n')]);
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function text(content: string): Buffer {
  return Buffer.from(content);
}

/** Ordinary git with fixed people and dates, so that ids can be compared. Without the newline at the end. */
export function runGit(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return outputOf(cwd, args, env).replace(/\n$/, '');
}

function outputOf(cwd: string, args: readonly string[], env: Record<string, string> = {}, input?: Buffer): string {
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
  const stdio = 'pipe' as const;
  return execFileSync('git', ['-c', 'gc.auto=0', ...args], { cwd, env: fixed, encoding: 'utf8', stdio, input });
}
