import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GitCommand } from '../../../code-hosts/git/git-command';
import { writeGitConfig } from '../../../code-hosts/git/git-config-file';
import { childEnvironment, networkEnvironment } from '../../../platform/config/child-environment';
import { type HostAccount, StepRefused } from '../servers/tested-server';

/** New content of files by path; null removes a file. */
export type FileEdits = Readonly<Record<string, string | null>>;

/** An address that receives no mail. */
const EMAIL = 'ada@example.invalid';
const WHEN = '1767323045 +0000';

/** A git folder without a working tree, for a person who works on one repository. */
export class GitFolder {
  private readonly folder: string;
  private readonly git: GitCommand;
  private count = 0;

  private constructor(
    parent: string,
    private readonly remote: string,
    private readonly serverUrl: string,
    account: HostAccount,
  ) {
    this.folder = join(parent, 'people.git');
    mkdirSync(this.folder, { recursive: true });
    const plain = new GitCommand({ ...childEnvironment(), ...networkEnvironment() }, writeGitConfig(parent));
    const protocol = new URL(serverUrl).protocol.slice(0, -1);
    this.git = plain.with(proofOf(serverUrl, account), [`protocol.${protocol}.allow=always`]);
  }

  /** `serverUrl`: without a slash at the end; the token is sent to this server only. */
  static async make(parent: string, remote: string, serverUrl: string, account: HostAccount): Promise<GitFolder> {
    const made = new GitFolder(parent, remote, serverUrl, account);
    await made.run(['init', '--bare', '--quiet', '-b', 'main', '.']);
    return made;
  }

  /** Makes a commit, but does not push it. Without `from`, the commit has no parent. */
  async commit(from: string | null, edits: FileEdits, message: string): Promise<string> {
    const ref = `refs/made/${++this.count}`;
    const lines = Object.entries(edits).map(([path, content]) =>
      content === null ? `D ${quoted(path)}\n` : `M 100644 inline ${quoted(path)}\n${data(content)}`,
    );
    const who = `Ada <${EMAIL}> ${WHEN}`;
    const head = `commit ${ref}\nmark :1\nauthor ${who}\ncommitter ${who}\n${data(`${message}\n`)}`;
    const input = `${head}${from === null ? '' : `from ${from}\n`}${lines.join('')}\nget-mark :1\n`;
    const output = await this.run(['fast-import', '--quiet', '--force', '--cat-blob-fd=1'], input);
    return output.trim();
  }

  async push(branch: string, commit: string | null): Promise<void> {
    await this.run(['push', '--quiet', '--force', this.remote, `${commit ?? ''}:refs/heads/${branch}`]);
  }

  /** Pushes as another person to another repository of the server. */
  async pushTo(remote: string, branch: string, commit: string, as: HostAccount): Promise<void> {
    const args = ['push', '--quiet', '--force', remote, `${commit}:refs/heads/${branch}`];
    await this.run(args, '', proofOf(this.serverUrl, as));
  }

  /** The commit of the branch, which is then in this folder. Null: the branch does not exist. */
  async tip(branch: string): Promise<string | null> {
    const commit = (await this.refs(`refs/heads/${branch}`)).get(`refs/heads/${branch}`) ?? null;
    if (commit !== null) await this.fetch(commit);
    return commit;
  }

  async branches(): Promise<readonly string[]> {
    return [...(await this.refs('refs/heads/*')).keys()].map((ref) => ref.slice('refs/heads/'.length));
  }

  async refs(pattern: string): Promise<ReadonlyMap<string, string>> {
    const output = await this.run(['ls-remote', this.remote, pattern]);
    const rows = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
    return new Map(rows.map(([commit = '', ref = '']) => [ref, commit]));
  }

  /** Fetches the commit, unless this folder has it already. */
  async fetch(commit: string): Promise<void> {
    const there = await this.git.ask(['cat-file', '-e', `${commit}^{commit}`], { cwd: this.folder });
    if (there.code !== 0) await this.run(['fetch', '--quiet', '--no-tags', this.remote, commit]);
  }

  async files(commit: string): Promise<Readonly<Record<string, string>>> {
    await this.fetch(commit);
    const names = (await this.run(['ls-tree', '-r', '-z', '--name-only', commit]))
      .split('\0')
      .filter((name) => name !== '');
    const contents = await Promise.all(names.map((name) => this.run(['show', `${commit}:${name}`])));
    return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? '']));
  }

  private async run(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}): Promise<string> {
    try {
      return (await this.git.run(args, { cwd: this.folder, input, env })).toString('utf8');
    } catch (error) {
      throw new StepRefused(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Git gets the token by its environment, and sends it to this server only. */
function proofOf(serverUrl: string, { token }: HostAccount): Readonly<Record<string, string>> {
  const basic = Buffer.from(`sluice:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${serverUrl}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}
