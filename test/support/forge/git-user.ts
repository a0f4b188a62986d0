import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person with ordinary git and a folder. The person authenticates with a token in a header. */
export class GitUser {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-git-user-'));

  constructor(
    /** The token; null if the person does not authenticate. */
    private readonly token: string | null,
  ) {}

  run(...args: readonly string[]): Promise<GitResult> {
    const credentials = Buffer.from(`x-access-token:${this.token ?? ''}`).toString('base64');
    const header = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader' };
    const proof = this.token === null ? {} : { ...header, GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}` };
    const env = {
      PATH: process.env.PATH ?? '',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      ...proof,
    };
    return new Promise((resolve) => {
      execFile('git', [...args], { cwd: this.folder, env, encoding: 'utf8' }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout: stdout.trim(), stderr });
      });
    });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
