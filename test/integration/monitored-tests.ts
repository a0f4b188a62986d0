import { createHash, randomUUID } from 'node:crypto';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createRepository } from '../../src/platform/auth/repositories';
import { TestEvaluator } from '../../src/modules/test-health/storage/evaluation/test-evaluator';
import { writeSettings } from '../../src/modules/test-health/storage/settings';
import { DEFAULT_TEST_HEALTH_SETTINGS, type TestHealthSettings } from '../../src/modules/test-health/rules/settings';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import { Connections } from '../support/connections';
import { emptyDatabase } from '../support/empty-database';
import { ManualClock } from '../support/manual-clock';

export const START = new Date('2026-11-20T12:00:00.000Z');
const OUTCOMES = { passed: 0, failed: 1, skipped: 2 } as const;
const CLASSES = { queue: 0, pull_request: 1, stable: 2 } as const;

export type Outcome = keyof typeof OUTCOMES;

export interface Upload {
  readonly commit: string;
  readonly branch: string;
  readonly branchClass: keyof typeof CLASSES;
  readonly counted: boolean;
  readonly job: string;
  readonly conditions: string;
  /** The attempt of the job. By default each upload has its own. */
  readonly attempt: string;
  readonly shard: string;
}

export interface Result {
  readonly test: string;
  readonly at: Date;
  readonly outcome: Outcome;
}

/** Tests and their results in PostgreSQL in the form that uploads leave, and the monitors that evaluate them. */
export class MonitoredTests {
  readonly clock = new ManualClock(START);
  readonly connections = new Connections();
  readonly prisma = this.connections.prisma;
  readonly evaluator: TestEvaluator;
  repositoryId = '';

  constructor() {
    this.evaluator = new TestEvaluator(this.prisma, this.clock);
  }

  async empty(settings: Partial<TestHealthSettings> = {}): Promise<void> {
    await emptyDatabase(this.prisma);
    this.clock.advance(START.getTime() - this.clock.now().getTime());
    await createOrganization(this.prisma, { slug: 'acme' }, START);
    const named = { organizationSlug: 'acme', host: 'local', owner: 'acme', name: 'widgets' };
    this.repositoryId = (await createRepository(this.prisma, named, START, [])).id;
    await this.settings(settings);
  }

  async settings(settings: Partial<TestHealthSettings>): Promise<void> {
    await this.prisma.$transaction((tx) =>
      writeSettings(tx, this.repositoryId, { ...DEFAULT_TEST_HEALTH_SETTINGS, ...settings }),
    );
  }

  idOf(name: string): string {
    return testCaseId(this.repositoryId, { file: '', classname: '', parent: '', name, variant: '' });
  }

  async upload(upload: Partial<Upload>, results: readonly Result[]): Promise<void> {
    const { counted = true, branch = 'main', branchClass = 'stable', commit = shaOf('a'), job = '' } = upload;
    const { conditions = '', attempt = randomUUID(), shard = '' } = upload;
    await this.tests(results);
    const { id } = await this.prisma.testUpload.create({
      data: {
        ...{ repositoryId: this.repositoryId, uploadId: randomUUID(), receivedAt: this.clock.now(), actor: 'ci' },
        ...{ commit, branch, branchClass, counted, job, conditions, attempt, shard, variant: '' },
        ...{ passed: 0, failed: 0, skipped: 0 },
        line: branchClass === 'pull_request' ? '' : branch,
      },
    });
    await this.store(id, { branchClass: CLASSES[branchClass], counted }, results);
    if (counted) await this.markDue(results.map(({ test }) => this.idOf(test)));
  }

  /** Stores one result of a test at the current time. */
  async result(test: string, outcome: Outcome, upload: Partial<Upload> = {}): Promise<void> {
    await this.upload(upload, [{ test, outcome, at: this.clock.now() }]);
  }

  async markDue(ids: readonly string[]): Promise<void> {
    await this.prisma.$executeRaw`
      INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
      SELECT DISTINCT unnest(${ids}::uuid[]), ${this.repositoryId}::uuid, ${this.clock.now()}::timestamptz
      ON CONFLICT (test_case_id) DO UPDATE SET since = excluded.since`;
  }

  async due(): Promise<number> {
    const [row] = await this.prisma.$queryRaw<{ due: number }[]>`
      SELECT count(*)::int AS due FROM test_results.judgement_due`;
    return row!.due;
  }

  async evaluateAllDue(limit = 50): Promise<void> {
    while ((await this.evaluator.evaluateDue(limit)) > 0);
  }

  async statusOf(name: string): Promise<string> {
    return (await this.prisma.testCase.findUniqueOrThrow({ where: { id: this.idOf(name) } })).status;
  }

  history(name: string) {
    const select = { at: true, from: true, to: true, reason: true } as const;
    return this.prisma.testStatusChange.findMany({
      where: { testCaseId: this.idOf(name) },
      select,
      orderBy: { id: 'asc' },
    });
  }

  async mute(name: string, monitor: string, until: Date | null): Promise<void> {
    const testCaseId = this.idOf(name);
    const data = { testCaseId, monitor, actor: 'ada', reason: 'known', mutedAt: this.clock.now(), until };
    await this.prisma.testMute.create({ data });
  }

  private async tests(results: readonly Result[]): Promise<void> {
    const at = this.clock.now();
    const texts = { variant: '', filePath: '', parent: '', classname: '', codeowners: [], statusReason: 'new' };
    const standing = { status: 'healthy', statusChangedAt: at, quarantineSetting: 'unspecified', quarantined: false };
    const names = [...new Set(results.map(({ test }) => test))];
    const data = names.map((name) => ({
      id: this.idOf(name),
      repositoryId: this.repositoryId,
      name,
      ...texts,
      ...standing,
    }));
    await this.prisma.testCase.createMany({ data, skipDuplicates: true });
  }

  private async store(
    id: bigint,
    { branchClass, counted }: { branchClass: number; counted: boolean },
    results: readonly Result[],
  ): Promise<void> {
    const days = new Set(results.map(({ at }) => at.toISOString().slice(0, 10)));
    for (const day of days) await this.prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    await this.prisma.$executeRaw`
      INSERT INTO test_results.result (test_case_id, occurred_at, upload_id, outcome, branch_class, counted)
      SELECT id, at, ${id}::bigint, outcome, ${branchClass}::smallint, ${counted}::boolean
      FROM unnest(${results.map(({ test }) => this.idOf(test))}::uuid[], ${results.map(({ at }) => at)}::timestamptz[],
        ${results.map(({ outcome }) => OUTCOMES[outcome])}::smallint[]) AS r (id, at, outcome)`;
  }
}

export function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
