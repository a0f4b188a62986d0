import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createOrganization } from '../../src/platform/auth/organizations';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import { Lifecycle } from '../../src/platform/lifecycle/lifecycle';
import { DailyRollup } from '../../src/modules/test-health/storage/days/daily-rollup';
import type { ReportedResult } from '../../src/modules/test-health/reports/reported-result';
import { DescribedTests } from '../../src/modules/test-health/http/lists/described-tests';
import { testCaseId } from '../../src/modules/test-health/rules/test-identity';
import type { BranchClass } from '../../src/modules/test-health/rules/branches';
import { CodeOwners } from '../../src/modules/test-health/rules/code-owners';
import { KnownTests } from '../../src/modules/test-health/storage/uploads/known-tests';
import { Workspace } from '../../src/modules/test-health/rules/workspace';
import { UploadSpool } from '../../src/modules/test-health/storage/uploads/upload-spool';
import type { StoredTests } from '../../src/modules/test-health/storage/uploads/stored-tests';
import { UploadStore } from '../../src/modules/test-health/storage/uploads/upload-store';
import { Wakeups } from '../../src/platform/wakeups/wakeups';
import { Connections } from '../support/connections';
import { emptyDatabase } from '../support/empty-database';
import { ManualClock } from '../support/manual-clock';
import { RecordingLogger } from '../support/recording-logger';
import { Rows } from '../e2e/rows';

const OF_NO_JOB = {
  job: '',
  shard: '',
  part: '',
  attempt: '',
  conditions: '',
  testExitCode: null,
  ignoresQuarantined: false,
  runnerCounts: [],
};

export interface GivenResult {
  readonly test: string;
  readonly at: Date;
  readonly outcome: ReportedResult['outcome'];
  readonly message?: string;
  /** Further fields of the result in the report. */
  readonly reported?: Partial<ReportedResult>;
}

export interface GivenUpload {
  readonly results: readonly GivenResult[];
  readonly receivedAt: Date;
  readonly prNumber?: number | null;
  readonly branchClass?: BranchClass;
  /** The most tests that are kept for the repository. */
  readonly mostTests?: number;
  /** The root of the checkout in the report. */
  readonly workspace?: string;
  readonly commit?: string;
  readonly job?: string;
  readonly line?: string;
}

/** Writes and reads results on an empty database, without the rest of the service. */
export class TestResultsRig {
  private readonly connections = new Connections();
  readonly prisma = this.connections.prisma;
  readonly sql = this.connections.sql;
  readonly rollup: DailyRollup;
  readonly lifecycle = new Lifecycle();
  readonly repository = { id: '', host: 'local', owner: 'acme', name: 'widgets' };
  private readonly known = new KnownTests();
  private readonly folder = mkdtempSync(join(tmpdir(), 'sluice-results-'));

  private constructor(
    readonly clock: ManualClock,
    readonly config: Config,
  ) {
    this.rollup = new DailyRollup(config, this.prisma, this.sql, clock, this.lifecycle);
  }

  static async open(now: Date, settings: Partial<Config> = {}): Promise<TestResultsRig> {
    const environment = readConfig({ DATABASE_URL: process.env.DATABASE_URL, SLUICE_LOG_LEVEL: 'silent' });
    const rig = new TestResultsRig(new ManualClock(now), new Config({ ...environment, ...settings }));
    Logger.overrideLogger(new RecordingLogger());
    await rig.empty();
    return rig;
  }

  async empty(): Promise<void> {
    await emptyDatabase(this.prisma);
    const { id } = await createOrganization(this.prisma, { slug: 'acme' }, this.clock.now());
    this.repository.id = await new Rows(this.prisma, this.clock.now()).repository(id, 'widgets');
  }

  async close(): Promise<void> {
    await this.connections.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  idOf(test: string): string {
    const unknown = { file: '', classname: '', parent: '', variant: '' };
    return testCaseId(this.repository.id, { ...unknown, name: test });
  }

  /** The lists as they would be at the time `now`. */
  listsAt(now: Date): DescribedTests {
    return new DescribedTests(this.prisma, new ManualClock(now), this.config);
  }

  async upload({ results, receivedAt, ...more }: GivenUpload): Promise<StoredTests> {
    const {
      prNumber = null,
      branchClass = 'stable',
      workspace = null,
      commit = 'a'.repeat(40),
      job = '',
      line = 'main',
    } = more;
    const { id: repositoryId } = this.repository;
    const keptDays = this.config.testRetentionDays;
    const spool = await UploadSpool.create(this.folder, {
      repositoryId,
      variant: '',
      receivedAt,
      keptDays,
      known: this.known,
      workspace: new Workspace(this.repository, workspace),
    });
    try {
      await spool.add(results.map(reported), CodeOwners.NONE);
      await spool.finish();
      const same = { actor: 'ci', commit, branch: 'main', variant: '', jobUrl: null };
      const tested = { tree: null, line, changes: [], ...OF_NO_JOB, job };
      const row = { repositoryId, uploadId: randomUUID(), receivedAt, prNumber, branchClass, ...same, ...tested };
      const store = new UploadStore(this.sql, this.prisma, new Wakeups());
      const outcome = await store.store(row, spool, 1, more.mostTests);
      if (outcome.type === 'known') throw new Error('Its id is new.');
      return outcome.names;
    } finally {
      await spool.remove();
    }
  }

  async partitions(): Promise<string[]> {
    const rows = await this.prisma.$queryRaw<{ name: string }[]>`
      SELECT c.relname AS "name" FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'test_results.result'::regclass ORDER BY 1`;
    return rows.map(({ name }) => name);
  }
}

/**
 * A result as a report has it. Each result is stored, even several results of one test, unless `more` says otherwise.
 */
function reported({ test, at, outcome, message = 'failed', ...more }: GivenResult): ReportedResult {
  const unknown = { classname: '', parent: '', file: '', durationMs: null, line: 1 };
  const failure = outcome === 'failed' ? { message, text: '' } : null;
  return { ...unknown, name: test, outcome, reportedAt: at, failure, ...(more.reported ?? { isAttempt: true }) };
}
