import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../../../../platform/requests/caller';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import { Clock } from '../../../../platform/clock/clock';
import { Config } from '../../../../platform/config/config';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { DomainError } from '../../../../platform/errors/domain-error';
import { RequestValidationPipe } from '../../../../platform/errors/request-validation.pipe';
import { newId } from '../../../../platform/ids';
import { QueueLocator } from '../../../shared/queue-locator';
import { TestEvaluator } from '../../storage/evaluation/test-evaluator';
import type { TestedBranch } from '../../storage/uploads/tested-branch';
import { ByteBudget } from './decoded-bytes';
import type { KnownOfFailureDto } from './dto/known-of-failure.dto';
import type { StoredUpload, UploadFailure } from './dto/stored-upload.dto';
import { ResultsMetadata } from './dto/upload-metadata.dto';
import type { Wholeness } from './dto/wholeness.dto';
import { attemptOfAddress } from '../../rules/attempts';
import type { OwnersDialect } from '../../rules/code-owners';
import { Workspace } from '../../rules/workspace';
import { readSettings } from '../../storage/settings';
import { KnownTests } from '../../storage/uploads/known-tests';
import type { KnownOfFailure } from '../../storage/queries/known-of-failures';
import { readUploadSummary, type UploadSummary } from '../../storage/uploads/upload-summary';
import { readUpload, requireReadable } from './upload-body';
import { metadataOfQuery, UploadIntake } from './upload-intake';
import { UploadClassifier } from './upload-classifier';
import { UploadPlaces } from './upload-places';
import { markRepeated } from '../../storage/uploads/repeated-tests';
import { addRefusedUpload } from '../../storage/queries/test-counts';
import { removeAbandonedSpools } from '../../storage/uploads/spool-file';
import { UploadSpool } from '../../storage/uploads/upload-spool';
import type { UploadRow } from '../../storage/uploads/upload-row';
import { UploadStore } from '../../storage/uploads/upload-store';

/** The client waits for the evaluation of these tests. */
const MOST_EVALUATED_AT_ONCE = 200;

interface Upload {
  readonly row: Omit<UploadRow, keyof TestedBranch>;
  /** Determined while the reports arrive. */
  readonly tested: Promise<TestedBranch>;
  readonly spool: UploadSpool;
  readonly dialect: OwnersDialect;
}

/** Receives uploads of test results. */
@Injectable()
export class UploadsService implements OnApplicationBootstrap {
  private readonly logger = new Logger(UploadsService.name);
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly store: UploadStore,
    private readonly known: KnownTests,
    private readonly evaluator: TestEvaluator,
    private readonly classifier: UploadClassifier,
    private readonly places: UploadPlaces,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      const removed = await removeAbandonedSpools(this.spoolFolder, this.clock.now());
      if (removed > 0) this.logger.log(`Removed ${removed} files of uploads that a process left when it was killed`);
    } catch (error) {
      this.logger.warn(`Could not remove old files of uploads from ${this.spoolFolder}: ${messageOf(error)}`);
    }
  }

  async take(caller: Caller, request: Request): Promise<StoredUpload> {
    const leave = this.places.take(request, caller.tokenId);
    const intake = new UploadIntake(new ByteBudget(this.config.uploadMaxMib), (metadata) =>
      this.open(caller, metadata),
    );
    try {
      if (requireReadable(request) === 'report') await intake.begin(metadataOfQuery(request.query));
      await readUpload(request, intake);
      return await this.keep(await intake.finish());
    } catch (error) {
      if (error instanceof DomainError) await this.countRefused(await intake.openedUpload());
      throw error;
    } finally {
      leave();
      await (await intake.openedUpload())?.spool.remove();
    }
  }

  /**
   * Counts refusals for metrics: if counting fails, the client still gets the refusal. An upload without a repository
   * is not counted.
   */
  private async countRefused(upload: Upload | undefined): Promise<void> {
    if (upload === undefined) return;
    try {
      await addRefusedUpload(this.prisma, upload.row.repositoryId, this.clock.now());
    } catch (error) {
      this.logger.warn(`Could not count a refused upload: ${messageOf(error)}`);
    }
  }

  private get spoolFolder(): string {
    return join(this.config.dataDirectory, 'uploads');
  }

  /** Validates in the documented order: fields, slug, repository. */
  private async open(caller: Caller, given: unknown): Promise<Upload> {
    const metadata = (await this.validation.transform(given, {
      type: 'body',
      metatype: ResultsMetadata,
    })) as ResultsMetadata;
    requireOwnSlug(caller, metadata.org_url_slug);
    const repository = await this.locator.repository(caller, metadata.repo);
    const { id: repositoryId } = repository;
    const workspace = new Workspace(repository, metadata.workspace ?? null);
    const receivedAt = this.clock.now();
    const { commit, branch = null, variant = '', upload_id: uploadId = newId() } = metadata;
    const { job_url: jobUrl = null, job = '', shard = '' } = metadata;
    const prNumber = metadata.pr_number ?? null;
    const actor = caller.tokenName;
    const {
      part = '',
      test_exit_code: testExitCode = null,
      ignores_quarantined: ignoresQuarantined = false,
      conditions = '',
      runner_counts: runnerCounts = [],
    } = metadata;
    const attempt = metadata.attempt ?? attemptOfAddress(jobUrl ?? '', job);
    const ofJob = { jobUrl, job, shard, part, attempt, conditions, testExitCode, ignoresQuarantined, runnerCounts };
    const row = { repositoryId, uploadId, receivedAt, actor, commit, variant, ...ofJob };
    const keptDays = this.config.testRetentionDays;
    const spool = await UploadSpool.create(this.spoolFolder, {
      repositoryId,
      variant,
      receivedAt,
      keptDays,
      known: this.known,
      workspace,
    });
    const tested = this.classifier.classify(repository, { commit, branch, prNumber });
    // If the reports are refused, the service does not await `tested`.
    tested.catch(() => undefined);
    return { row, tested, spool, dialect: this.classifier.ownersDialectOf(repository) };
  }

  private async keep({ row, tested, spool }: Upload): Promise<StoredUpload> {
    const { infrastructureFailures } = await readSettings(this.prisma, row.repositoryId);
    const outcome = await this.store.store({ ...row, ...(await tested) }, spool, infrastructureFailures);
    if (outcome.type === 'stored') await this.evaluate(outcome.tests);
    const summary = await readUploadSummary(this.prisma, row.repositoryId, row.uploadId);
    await markRepeated(this.prisma, row.repositoryId, summary.shared.keysOfOtherParts);
    return storedUpload(row.uploadId, outcome.type, summary, this.config.publicUrl);
  }

  /**
   * Evaluates the tests now, so that the answer shows the effect of this upload. If the evaluation fails, the tests
   * stay due.
   */
  private async evaluate(tests: readonly string[]): Promise<void> {
    try {
      await this.evaluator.evaluate(tests.slice(0, MOST_EVALUATED_AT_ONCE));
    } catch (error) {
      this.logger.warn(`Could not evaluate the tests of an upload; trying again in ten seconds: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function storedUpload(
  upload_id: string,
  status: 'stored' | 'known',
  summary: UploadSummary,
  publicUrl: string,
): StoredUpload {
  const { passed, failed, skipped } = summary;
  return {
    upload_id,
    status,
    counted: summary.counted,
    branch_class: summary.branchClass,
    results: { total: passed + failed + skipped, passed, failed, skipped },
    tests_set_aside: summary.setAside,
    shared_tests: { same_part: summary.shared.samePart, other_parts: summary.shared.keysOfOtherParts.length },
    failures: listedFailures(summary, publicUrl),
    failures_truncated: summary.hasMoreFailures,
    all_failures_quarantined: summary.areAllFailuresQuarantined,
    ...wholeness(summary),
  };
}

/** The failures of an upload, as its answer lists them. `publicUrl`: the URL of the service. */
function listedFailures({ failures, known }: UploadSummary, publicUrl: string): UploadFailure[] {
  return failures.map(({ id, ...test }) => ({ test_case_id: id, ...test, known: knownOf(known.get(id), publicUrl) }));
}

function knownOf(known: KnownOfFailure | undefined, publicUrl: string): KnownOfFailureDto | null {
  if (known === undefined) return null;
  const { id, since, reason, owners, days, ran, failed, lastFailedAt, lastFailedOn, message, stack } = known;
  return {
    since: since.toISOString(),
    reason,
    codeowners: [...owners],
    html_url: `${publicUrl}/ui/tests/${id}`,
    quarantine_url: `${publicUrl}/ui/tests/${id}?quarantine=always`,
    earlier_runs: { days, ran, failed },
    passed_on_retry: known.passedOnRetry,
    last_failure: lastFailedAt === null ? null : { at: lastFailedAt.toISOString(), branch: lastFailedOn ?? '' },
    message,
    stack,
  };
}

/** Whether the reports of an upload account for every failure, and the reasons why not. */
function wholeness(summary: UploadSummary): Wholeness {
  const { findings, missing, missingCount, doubts } = summary;
  return {
    refused_files: [...findings.refused],
    refused_files_total: findings.refusedCount,
    empty_files: [...findings.emptyFiles],
    missing_tests: missing.map(({ id, commit, jobUrl, seenAt, ...test }) => ({
      test_case_id: id,
      ...test,
      last_seen: { commit, job_url: jobUrl ?? '', at: seenAt.toISOString() },
    })),
    missing_tests_total: missingCount,
    doubts: [...doubts],
    may_pass: summary.failed > 0 && summary.areAllFailuresQuarantined && doubts.length === 0,
  };
}
