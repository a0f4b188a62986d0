import { Injectable } from '@nestjs/common';
import { differenceOf, changeRecorded } from '../../../../platform/audit/audit-log';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import type { Caller } from '../../../../platform/requests/caller';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../../platform/database/prisma.service';
import { auditedBy } from '../audited';
import { QueueLocator } from '../../../shared/queue-locator';
import type { HealthStatus, TestHealthSettings } from '../../rules/settings';
import { markTestsOfRepository } from '../../storage/evaluation/due-tests';
import { TestEvaluator } from '../../storage/evaluation/test-evaluator';
import { previewMonitors } from '../../storage/evaluation/preview';
import type {
  GetTestSettingsRequest,
  MonitorsPreview,
  PreviewMonitorsRequest,
  TestSettings,
  UpdateTestSettingsRequest,
} from './dto/settings.dto';
import { monitorOf, settingsRecord } from './settings.record';
import { lockSettingsToWrite, readSettings, writeSettings } from '../../storage/settings';

/**
 * The number of tests that are evaluated before the answer, within a few seconds. All other tests are evaluated soon
 * after the answer.
 */
const AT_ONCE = 1_000;
const MOST_LISTED = 1_000;

@Injectable()
export class SettingsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
    private readonly evaluator: TestEvaluator,
  ) {}

  async read(caller: Caller, { repo, org_url_slug }: GetTestSettingsRequest): Promise<TestSettings> {
    requireOwnSlug(caller, org_url_slug);
    const { id } = await this.locator.repository(caller, repo);
    return settingsRecord(await readSettings(this.prisma, id));
  }

  /** The effect of the monitors in the request on the tests, without saving them. */
  async preview(caller: Caller, request: PreviewMonitorsRequest): Promise<MonitorsPreview> {
    requireOwnSlug(caller, request.org_url_slug);
    const { id } = await this.locator.repository(caller, request.repo);
    const monitors = request.monitors.map(monitorOf);
    const now = this.clock.now();
    const { tests, isComplete } = await this.prisma.$transaction((tx) => previewMonitors(tx, id, monitors, now));
    const count = (status: HealthStatus) => tests.filter(({ wouldBe }) => wouldBe === status).length;
    const changed = tests.filter(({ status, wouldBe }) => status !== wouldBe);
    const same = tests.filter(({ status, wouldBe }) => status === wouldBe);
    const listed = [...changed, ...same].slice(0, MOST_LISTED);
    return {
      tests: listed.map(({ id: test_case_id, name, status, wouldBe, reason }) => {
        return { test_case_id, name, status, would_be: wouldBe, reason };
      }),
      ...{ flaky: count('flaky'), broken: count('broken'), changed: changed.length },
      complete: isComplete && listed.length === tests.length,
    };
  }

  /**
   * Changes the settings in the request. The same transaction marks every affected test as due, so that each affected
   * test is evaluated even if this process dies.
   */
  async update(caller: Caller, request: UpdateTestSettingsRequest): Promise<TestSettings> {
    requireOwnSlug(caller, request.org_url_slug);
    const repository = await this.locator.repository(caller, request.repo);
    const { id } = repository;
    const { settings, due } = await this.prisma.$transaction(async (tx) => {
      await lockSettingsToWrite(tx);
      const before = await readSettings(tx, id);
      const after = changed(before, request);
      await writeSettings(tx, id, after);
      const difference = differenceOf({ ...settingsRecord(before) }, { ...settingsRecord(after) });
      const audited = auditedBy(caller, repository, this.clock.now());
      if (difference)
        await tx.$executeRaw(changeRecorded({ ...audited, ...difference, action: 'test_settings.updated' }));
      return { settings: after, due: await this.markDue(tx, id, request) };
    });
    await this.evaluator.evaluate(due.slice(0, AT_ONCE));
    return settingsRecord(settings);
  }

  private async markDue(tx: Tx, repositoryId: string, request: UpdateTestSettingsRequest): Promise<readonly string[]> {
    const { quarantine_enabled, auto_quarantine, monitors } = request;
    if (quarantine_enabled === undefined && auto_quarantine === undefined && monitors === undefined) return [];
    const scope = monitors === undefined ? 'quarantine' : 'monitors';
    return markTestsOfRepository(tx, repositoryId, scope, this.clock.now());
  }
}

function changed(before: TestHealthSettings, request: UpdateTestSettingsRequest): TestHealthSettings {
  return {
    quarantineEnabled: request.quarantine_enabled ?? before.quarantineEnabled,
    autoQuarantine: request.auto_quarantine ?? before.autoQuarantine,
    infrastructureFailures: request.infrastructure_failures ?? before.infrastructureFailures,
    monitors: request.monitors?.map(monitorOf) ?? before.monitors,
  };
}
