import { Injectable } from '@nestjs/common';
import { requireOwnSlug } from '../../../platform/auth/organization-slug';
import type { Caller } from '../../../platform/auth/caller';
import { Clock } from '../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../platform/database/prisma.service';
import { QueueLocator } from '../../../shared/queue-locator';
import { DAY_MS } from '../../rules/days';
import { MAX_WINDOW_DAYS, type TestHealthSettings } from '../../rules/settings';
import { MonitorTicker } from '../../storage/evaluation/monitor-ticker';
import { MonitorsService } from '../../storage/evaluation/test-evaluator';
import type { GetTestSettingsRequest, TestSettings, UpdateTestSettingsRequest } from './dto/settings.dto';
import { monitorOf, settingsRecord } from './settings.view';
import { holdSettings, readSettings, writeSettings } from '../../storage/settings';

/** Tests that follow before the answer: that takes seconds at most. The others follow soon after. */
const AT_ONCE = 1_000;
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

@Injectable()
export class SettingsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
    private readonly monitors: MonitorsService,
    private readonly ticker: MonitorTicker,
  ) {}

  async read(caller: Caller, { repo, org_url_slug }: GetTestSettingsRequest): Promise<TestSettings> {
    requireOwnSlug(caller, org_url_slug);
    const { id } = await this.locator.repository(caller, repo);
    return settingsRecord(await readSettings(this.prisma, id));
  }

  /**
   * Changes what was said and keeps the rest. In the same transaction every test that it may concern becomes due, so that
   * they all follow, whatever happens here.
   */
  async update(caller: Caller, request: UpdateTestSettingsRequest): Promise<TestSettings> {
    requireOwnSlug(caller, request.org_url_slug);
    const { id } = await this.locator.repository(caller, request.repo);
    const { settings, due } = await this.prisma.$transaction(async (tx) => {
      await holdSettings(tx);
      const after = changed(await readSettings(tx, id), request);
      await writeSettings(tx, id, after);
      return { settings: after, due: await this.markDue(tx, id, request) };
    }, LIMITS);
    await this.monitors.judge(due.slice(0, AT_ONCE));
    if (due.length > AT_ONCE) this.ticker.tick();
    return settingsRecord(settings);
  }

  private async markDue(tx: Tx, repositoryId: string, request: UpdateTestSettingsRequest): Promise<string[]> {
    const { quarantine_enabled, auto_quarantine, monitors } = request;
    if (quarantine_enabled === undefined && auto_quarantine === undefined && monitors === undefined) return [];
    const now = this.clock.now();
    const failedAfter = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
    // A healthy test that nobody set anything for can only be found by new monitors, and only by failures.
    const due = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
      SELECT "id", "repositoryId", ${now}::timestamptz FROM "TestCase"
      WHERE "repositoryId" = ${repositoryId}::uuid AND (
        "status" <> 'healthy' OR "quarantined" OR "quarantineSetting" <> 'unspecified'
        OR (${monitors !== undefined}::boolean AND "lastFailedAt" > ${failedAfter}))
      ORDER BY "id" ON CONFLICT (test_case_id) DO UPDATE SET since = excluded.since
      RETURNING test_case_id AS id`;
    return due.map(({ id }) => id);
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
