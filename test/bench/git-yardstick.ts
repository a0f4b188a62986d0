import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BuildRequest, PullRequestAtHead } from '../../src/domain/code-host.port';

const run = promisify(execFile);
const COMMITTER = { GIT_COMMITTER_NAME: 'Sluice', GIT_COMMITTER_EMAIL: 'sluice@localhost' };

interface Author {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/**
 * The smallest sequence of git processes that makes and pushes the same candidate: no check, no protection, no
 * unnecessary read. In git 2.39, one process merges two commits and writes one tree. The command `git merge-tree
 * --stdin` does not answer before its input ends, so one process cannot make a chain of merges.
 */
export class Yardstick {
  constructor(
    private readonly clone: string,
    private readonly bare: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  async buildAndPush(request: BuildRequest, branch: string): Promise<string> {
    const date = `@${Math.floor(request.committedAt.getTime() / 1000)} +0000`;
    let tip = request.onto;
    for (const one of request.pullRequests) tip = await this.add(request, tip, one, date);
    await this.git(['push', '--quiet', this.bare, `${tip}:refs/heads/${branch}`]);
    return tip;
  }

  private async add(request: BuildRequest, tip: string, one: PullRequestAtHead, date: string): Promise<string> {
    const sluice = { name: 'Sluice', email: 'sluice@localhost', date };
    if (request.mergeMethod === 'rebase') return this.rebase(tip, one.head, date);
    const tree = await this.merge(tip, one.head);
    if (request.mergeMethod === 'merge_commit') {
      const message = `Merge pull request #${one.number} from ${one.headBranch}\n\n${one.title}`;
      return this.commit(tree, [tip, one.head], message, sluice, date);
    }
    const author = { name: one.author, email: one.authorEmail ?? '', date };
    return this.commit(tree, [tip], `${one.title} (#${one.number})\n\n${one.body}`, author, date);
  }

  private async rebase(base: string, head: string, date: string): Promise<string> {
    const format = '%H%x00%P%x00%an%x00%ae%x00%ad%x00%s';
    const log = await this.git(['log', '--reverse', '--date=raw', `--format=${format}`, `${base}..${head}`]);
    let [tip, tree] = [base, ''];
    for (const [index, line] of log.split('\n').entries()) {
      const [id = '', parent = '', name = '', email = '', authorDate = '', message = ''] = line.split('\0');
      const author = { name, email, date: `@${authorDate}` };
      // The parent of the first commit is in the base's history. For a later commit, a graft makes its parent the merge
      // base.
      const ours = index === 0 ? tip : await this.commit(tree, [parent], 'graft', author, date);
      tree = await this.merge(ours, id);
      tip = await this.commit(tree, [tip], message, author, date);
    }
    return tip;
  }

  private merge(ours: string, theirs: string): Promise<string> {
    return this.git(['merge-tree', '--write-tree', ours, theirs]);
  }

  private commit(tree: string, parents: string[], message: string, author: Author, date: string): Promise<string> {
    const env = {
      ...COMMITTER,
      GIT_COMMITTER_DATE: date,
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: author.date,
    };
    return this.git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message], env);
  }

  private async git(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const { stdout } = await run('git', args, { env: { ...this.env, GIT_DIR: this.clone, ...env } });
    return stdout.trimEnd();
  }
}
