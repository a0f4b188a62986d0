import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { makeFreshClone } from '../../support/fresh-clone';
import { ROOT } from '../documents';
import type { Block } from './walk';

interface Ended {
  readonly exit: number | null;
  readonly printed: string;
}

/** A person with a fresh clone who follows a walk. Each block becomes a commit, so that a test can omit the block. */
export class Newcomer {
  private readonly clone = makeFreshClone();
  private readonly commits = new Map<Block, string>();

  async begin(): Promise<void> {
    symlinkSync(join(ROOT, 'src/generated'), join(this.clone, 'src/generated'));
    mkdirSync(join(this.clone, '.sluice'));
    await this.done('git init --quiet && git add --all && git commit --quiet --message "The project"');
  }

  leave(): void {
    rmSync(this.clone, { recursive: true, force: true });
  }

  async follow(block: Block): Promise<void> {
    if (block.kind === 'file') this.write(block.path, block.text);
    if (block.kind === 'diff') await this.done('git apply', block.text);
    if (block.kind === 'command') await this.done(block.text);
    await this.done('git add --all && git commit --quiet --message "A block"');
    this.commits.set(block, (await this.done('git rev-parse HEAD')).trim());
  }

  run(command: string, input = ''): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const shell = spawn('sh', ['-c', command], { cwd: this.clone, env: this.environment() });
      let printed = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      shell.once('error', reject);
      shell.once('close', (exit) => resolve({ exit, printed }));
      // When the shell ends before it reads, its exit code tells more than this error.
      shell.stdin.on('error', () => undefined);
      shell.stdin.end(input);
    });
  }

  async runWithout(block: Block, command: string): Promise<Ended> {
    await this.done(`git revert --no-commit ${this.commits.get(block)}`);
    try {
      return await this.run(command);
    } finally {
      await this.done('git reset --quiet --hard');
    }
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.clone, path)), { recursive: true });
    writeFileSync(join(this.clone, path), text);
  }

  private async done(command: string, input?: string): Promise<string> {
    const { exit, printed } = await this.run(command, input);
    if (exit !== 0) throw new Error(`This ended with ${exit}:\n${command}\n${input ?? ''}\n${printed}`);
    return printed;
  }

  /**
   * The environment without variables of this test run: jest must keep its cache in the clone, and `db:migrate` must
   * not reach the database of this test run.
   */
  private environment(): NodeJS.ProcessEnv {
    const home = join(this.clone, '.sluice');
    const who = { GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@acme.test' };
    const committer = { GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@acme.test' };
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
    return { ...who, ...committer, PATH, HOME: home, TMPDIR: home, CI: 'true', GIT_CONFIG_NOSYSTEM: '1' };
  }
}
