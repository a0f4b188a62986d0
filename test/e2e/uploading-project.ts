import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runSluice } from '../../src/cli/run-sluice';
import type { Client } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
const OF_CI = /^(GITHUB_|GITLAB_|CI_|CI$|BUILDKITE|CIRCLE|JENKINS_|BUILD_|GIT_|CHANGE_|RUNNER_|SLUICE_)/;

export interface UploadedRun {
  /** Exit code of `sluice upload`. */
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface TestedCommit {
  readonly commit: string;
  readonly pr?: number;
}

/**
 * A project in its own folder. Real runners run its tests under `sluice upload --quarantine -- <command>`, for the
 * repository local/acme/widgets, in which quarantine is on. The folder is the working directory of this process until
 * the project is closed.
 */
export class UploadingProject {
  /** Output of the runners. */
  printed = '';
  private readonly home = process.cwd();
  private readonly environment = { ...process.env };
  private runs = 0;
  private attempts = 0;

  private constructor(
    readonly service: Service,
    readonly admin: Client,
    private readonly folder: string,
  ) {}

  static async open(files: Readonly<Record<string, string>>): Promise<UploadingProject> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-project-')));
    const service = await Service.start({ dataDirectory: join(folder, 'data') });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    const project = new UploadingProject(service, await service.client('acme', 'admin'), folder);
    mkdirSync(join(folder, 'shop'));
    project.writeAll(files);
    for (const name of Object.keys(process.env).filter((name) => OF_CI.test(name))) delete process.env[name];
    Object.assign(process.env, { SLUICE_URL: service.url, SLUICE_TOKEN: (await service.client('acme', 'ci')).token });
    process.chdir(join(folder, 'shop'));
    await project.post('update-settings', { quarantine_enabled: true });
    return project;
  }

  async close(): Promise<void> {
    process.chdir(this.home);
    process.env = { ...this.environment };
    await this.service.stop();
    rmSync(this.folder, { recursive: true });
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, 'shop', name)), { recursive: true });
    writeFileSync(join(this.folder, 'shop', name), text);
  }

  writeAll(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  remove(...names: readonly string[]): void {
    for (const name of names) rmSync(join(this.folder, 'shop', name), { force: true });
  }

  post(operation: string, body: object) {
    return this.admin.post(`flaky-tests/${operation}`, { ...COMMON, ...body });
  }

  async testNamed(name: string) {
    return this.service.prisma.testCase.findFirstOrThrow({ where: { name } });
  }

  async quarantine(name: string): Promise<void> {
    const { id } = await this.testNamed(name);
    await this.post('set-quarantine', { test_case_id: id, setting: 'always_quarantine', reason: 'its clock is slow' });
  }

  /** Quarantines the failed tests. Failures outside of tests stay failures. */
  async quarantineAllThatFailed(): Promise<void> {
    const tests = await this.service.prisma.testCase.findMany({
      where: { lastFailedAt: { not: null }, quarantined: false, outsideTests: false },
    });
    for (const { id } of tests) {
      await this.post('set-quarantine', { test_case_id: id, setting: 'always_quarantine', reason: 'known' });
    }
  }

  removeReports(): void {
    const folder = join(this.folder, 'shop');
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.xml'))) rmSync(join(folder, name));
  }

  /** The commit of the last test run for which no commit was given. */
  get lastCommit(): string {
    return shaOf(this.runs);
  }

  /** Runs the command and uploads its reports for the given commit, or for a new commit of main. */
  async upload(
    reports: string,
    command: readonly string[],
    tested?: TestedCommit,
    jobName = 'unit',
  ): Promise<UploadedRun> {
    const { commit, pr } = tested ?? { commit: shaOf(++this.runs) };
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    const branch = pr === undefined ? ['--branch', 'main'] : ['--branch', `change-${pr}`, '--pr', `${pr}`];
    const of = ['--repo', 'local/acme/widgets', '--org', 'acme', '--commit', commit, ...branch];
    const job = ['--job', jobName, '--attempt', `${++this.attempts}`];
    const words = ['upload', reports, ...of, ...job, '--quarantine', '--', ...command];
    this.printed = '';
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((chunk) => {
        this.printed += chunk.toString();
        return true;
      }),
    );
    try {
      return { exit: await runSluice(words, terminal), ...said };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** Runs the tests of every *.test.mjs with Node's own runner. */
  runWithNode(tested?: TestedCommit): Promise<UploadedRun> {
    const junit = ['--test', '--test-reporter', 'junit', '--test-reporter-destination', 'node.xml'];
    const spec = ['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'];
    return this.upload('node.xml', [process.execPath, ...junit, ...spec], tested);
  }
}
