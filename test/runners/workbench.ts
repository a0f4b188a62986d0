import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { runSluice } from '../../src/cli/run-sluice';
import type { Client } from '../e2e/client';
import { Rows, shaOf } from '../e2e/rows';
import { NOW, Service } from '../e2e/service';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import { linesOf, type Plan } from './plan';

const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
const OF_CI = /^(GITHUB_|GITLAB_|CI_|CI$|BUILDKITE|CIRCLE|JENKINS_|BUILD_|GIT_|CHANGE_|RUNNER_|SLUICE_)/;

export interface Played {
  readonly exit: number;
  /** Names of the tests whose bodies ran. */
  readonly ran: ReadonlySet<string>;
  /** The output of the runner and of sluice. */
  readonly printed: string;
  /** The output of Sluice; '' if the run is without Sluice. */
  readonly said: string;
}

interface BegunSuite {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The folder that the suite uses as its node_modules. */
  readonly modules?: string;
  readonly reports?: string;
}

interface UploadedShare {
  readonly command: readonly string[];
  readonly shard?: string;
  readonly attempt?: string;
}

/**
 * A service, and a folder for each suite. The workbench changes the working directory and the environment of this
 * process.
 */
export class Workbench {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-runners-')));
  private commits = 0;
  private suite = '';
  private reports = '';

  private constructor(
    private readonly service: Service,
    private readonly admin: Client,
  ) {}

  static async open(databaseUrl: string, dataDirectory: string): Promise<Workbench> {
    for (const name of Object.keys(process.env).filter((name) => OF_CI.test(name))) delete process.env[name];
    process.env.DATABASE_URL = databaseUrl;
    const service = await Service.start({ dataDirectory });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    const bench = new Workbench(service, await service.client('acme', 'admin'));
    Object.assign(process.env, { SLUICE_URL: service.url, SLUICE_TOKEN: (await service.client('acme', 'ci')).token });
    await bench.quarantinesItself(false);
    return bench;
  }

  async close(): Promise<void> {
    process.chdir('/');
    await this.service.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** Writes the files of a suite into a new folder. The job of the suite has no earlier runs. */
  begin({ name, files, modules, reports = 'report.xml' }: BegunSuite): void {
    this.suite = name;
    this.reports = reports;
    const folder = join(this.folder, name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    if (modules !== undefined) symlinkSync(modules, join(folder, 'node_modules'));
    process.chdir(folder);
  }

  end(): void {
    process.chdir(this.folder);
    rmSync(join(this.folder, this.suite), { recursive: true });
  }

  /** From now on, uploads belong to another commit of main. */
  nextCommit(): void {
    this.commits++;
  }

  /** Runs the command under `sluice upload --quarantine`. */
  async upload(plan: Plan, { command, shard, attempt }: UploadedShare): Promise<Played> {
    this.prepare(plan);
    const commit = shaOf(this.commits);
    const of = ['--repo', 'local/acme/widgets', '--org', 'acme', '--commit', commit, '--branch', 'main'];
    const job = ['--job', this.suite, ...(shard ? ['--shard', shard] : []), ...(attempt ? ['--attempt', attempt] : [])];
    const words = ['upload', this.reports, ...of, ...job, '--part', 'all', '--quarantine', '--', ...command];
    let [printed, said] = ['', ''];
    const keep = (text: string | Uint8Array): boolean => {
      printed += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
    const say = (text: string): void => void (said += text);
    const [out, err] = [process.stdout.write.bind(process.stdout), process.stderr.write.bind(process.stderr)];
    Object.assign(process.stdout, { write: keep });
    Object.assign(process.stderr, { write: keep });
    try {
      const exit = await runSluice(words, { out: say, err: say, columns: undefined });
      return { exit, ran: ranTests(), printed: `${printed}\n${said}`, said };
    } finally {
      Object.assign(process.stdout, { write: out });
      Object.assign(process.stderr, { write: err });
    }
  }

  /** Runs the command without Sluice. */
  run(plan: Plan, [program = '', ...words]: readonly string[]): Played {
    this.prepare(plan);
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
    return { exit: status ?? 1, ran: ranTests(), printed: stdout + stderr, said: '' };
  }

  async quarantine(names: readonly string[]): Promise<void> {
    const tests = await this.service.prisma.testCase.findMany({
      where: { quarantined: false, outsideTests: false },
      select: { id: true, name: true },
    });
    // JUnit writes parentheses after the names of test methods.
    const isWanted = (name: string): boolean => names.some((wanted) => name.replace(/\(\)$/, '').endsWith(wanted));
    for (const { id } of tests.filter(({ name }) => isWanted(name))) {
      const how = { setting: 'always_quarantine', reason: 'of a random suite' };
      await this.admin.post('flaky-tests/set-quarantine', { ...COMMON, test_case_id: id, ...how });
    }
  }

  /** Switches automatic quarantine of flaky tests on or off. */
  async quarantinesItself(isOn: boolean): Promise<void> {
    const settings = { ...COMMON, quarantine_enabled: true, auto_quarantine: isOn };
    const { status } = await this.admin.post('flaky-tests/update-settings', settings);
    if (status !== 200) throw new Error(`The settings were refused with ${status}.`);
  }

  /** Makes Sluice classify the tests now. */
  async evaluate(): Promise<void> {
    await this.service.app.get(EvaluationTicker).drain();
  }

  /** Deletes all test results, because results of one suite must not affect the next suite. */
  async forget(): Promise<void> {
    await this.service.prisma.testCase.updateMany({ data: { quarantineSetting: 'unspecified', quarantined: false } });
    await this.service.prisma.testUpload.deleteMany();
  }

  private prepare(plan: Plan): void {
    writeFileSync('plan.json', JSON.stringify(plan));
    writeFileSync('plan.txt', linesOf(plan));
    writeFileSync('ran.log', '');
    for (const name of ['report.xml', 'reports']) rmSync(name, { recursive: true, force: true });
  }
}

function ranTests(): ReadonlySet<string> {
  return new Set(readFileSync('ran.log', 'utf8').split('\n').filter(Boolean));
}
