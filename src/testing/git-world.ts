import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const WHEN = '2026-01-02T03:04:05Z';

export type FileChange =
  | string
  | Buffer
  | null
  | { readonly symlink: string }
  | { readonly executable: string }
  | { readonly renamedTo: string };

export interface CommitOptions {
  readonly title?: string;
  readonly body?: string;
  readonly author?: string;
  readonly email?: string;
  readonly from?: string;
}

/**
 * A plain repository as its users see it: branches and pull requests are made with ordinary git in a work tree. Paths
 * and ids are given as git shows them.
 */
export class GitWorld {
  private constructor(
    /** The folder that holds everything, removed by `close`. */
    readonly folder: string,
    readonly bare: string,
    private readonly workTree: string,
  ) {}

  /** `repositories/<owner>/<name>.git` under a temporary folder, with one commit on `main`. */
  static create(
    owner = 'acme',
    name = 'widgets',
    files: Record<string, FileChange> = { 'README.md': 'hello\n' },
  ): GitWorld {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-git-'));
    const bare = join(folder, 'repositories', owner, `${name}.git`);
    mkdirSync(bare, { recursive: true });
    const world = new GitWorld(folder, bare, join(folder, 'work'));
    runGit(bare, ['init', '--quiet', '--bare', '--initial-branch=main']);
    runGit(folder, ['init', '--quiet', '--initial-branch=main', world.workTree]);
    world.git('remote', 'add', 'origin', bare);
    world.change(files);
    world.commit('start');
    world.git('push', '--quiet', 'origin', 'main');
    return world;
  }

  get urlTemplate(): string {
    return join(this.folder, 'repositories', '{owner}', '{name}.git');
  }

  get dataDirectory(): string {
    return join(this.folder, 'data');
  }

  /** Runs git in the work tree and answers what it wrote. */
  git(...args: string[]): string {
    return runGit(this.workTree, args);
  }

  /** Runs git in the repository itself. */
  inBare(...args: string[]): string {
    return runGit(this.bare, args);
  }

  /** A pull request: `refs/pull/<number>/head`, one commit on `from` (the target's present tip by default). Answers the head. */
  openPullRequest(number: number, files: Record<string, FileChange>, options: CommitOptions = {}): string {
    this.checkout(options.from ?? this.tip('main'));
    this.change(files);
    return this.publish(number, this.commit(options.title ?? `Change ${number}`, options));
  }

  /** One more commit on the pull request; answers the new head. */
  pushToPullRequest(number: number, files: Record<string, FileChange>, options: CommitOptions = {}): string {
    return this.openPullRequest(number, files, { from: this.head(number) ?? undefined, ...options });
  }

  publish(number: number, commit: string): string {
    this.git('push', '--quiet', '--force', 'origin', `${commit}:refs/pull/${number}/head`);
    return commit;
  }

  closePullRequest(number: number): void {
    this.inBare('update-ref', '-d', `refs/pull/${number}/head`);
  }

  /** Somebody pushes to a branch past the queue; answers the new tip. */
  pushTo(branch: string, files: Record<string, FileChange>, title = 'a push past the queue'): string {
    this.checkout(this.tip(branch));
    this.change(files);
    const commit = this.commit(title);
    this.git('push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`);
    return commit;
  }

  /** Points a branch anywhere, by force. */
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

  /** Names of all branches, in order. */
  branches(): string[] {
    const names = this.inBare('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').filter((name) => name !== '');
  }

  /** Path and content of every file of a commit. */
  files(commit: string): Record<string, string> {
    const paths = this.inBare('ls-tree', '-r', '-z', '--name-only', commit).split('\0').filter(Boolean);
    return Object.fromEntries(paths.map((path) => [path, outputOf(this.bare, ['show', `${commit}:${path}`])]));
  }

  checkout(commit: string): void {
    this.git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*', '+refs/pull/*:refs/remotes/pull/*');
    this.git('checkout', '--quiet', '--force', '--detach', commit);
    this.git('clean', '--quiet', '-fdx');
  }

  change(files: Record<string, FileChange>): void {
    for (const [path, change] of Object.entries(files)) this.changeOne(path, change);
  }

  commit(title: string, { body = '', author = 'Ada', email = 'ada@example.com' }: CommitOptions = {}): string {
    this.git('add', '--all');
    const message = body === '' ? title : `${title}\n\n${body}`;
    const env = { GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: email };
    runGit(this.workTree, ['commit', '--quiet', '--allow-empty', '-m', message], env);
    return this.git('rev-parse', 'HEAD');
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private changeOne(path: string, change: FileChange): void {
    const file = join(this.workTree, path);
    mkdirSync(dirname(file), { recursive: true });
    if (change === null) return rmSync(file);
    if (typeof change === 'string' || Buffer.isBuffer(change)) return writeFileSync(file, change);
    if ('symlink' in change) return symlinkSync(change.symlink, file);
    if ('renamedTo' in change) {
      this.git('mv', path, change.renamedTo);
      return;
    }
    writeFileSync(file, change.executable);
    chmodSync(file, 0o755);
  }
}

/** Ordinary git with fixed dates, so that ids can be compared. Without the newline at the end. */
export function runGit(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return outputOf(cwd, args, env).replace(/\n$/, '');
}

function outputOf(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
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
  return execFileSync('git', ['-c', 'gc.auto=0', ...args], {
    cwd,
    env: fixed,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
