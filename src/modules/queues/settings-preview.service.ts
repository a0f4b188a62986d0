import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { freezesAround } from '../../domain/freeze-windows';
import { type ReadHistory, type SettingsPreview, settingsPreview } from '../../processing/replay/settings-preview';
import { engineSettings } from '../../domain/stored-settings';
import { anonymizing } from '../../processing/replay/anonymous';
import type { QueueHistory } from '../../processing/replay/history';
import { PastResults } from '../../processing/replay/past-results';
import { SettingsComparison } from '../../processing/replay/settings-comparison';
import type { OtherSettings } from '../../processing/replay/snapshot-at-start';
import { misfitOfSettings } from '../../engine/settings-fit';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { DomainError } from '../../platform/errors/domain-error';
import { instantOf } from '../shared/instant';
import type { QueueReference } from '../shared/queue-reference.dto';
import { QueueLocator } from '../shared/queue-locator';
import { settingsPatch } from './queue-settings';
import { HistoryReader } from './replay/history-reader';
import { inTurns } from './replay/in-turns';
import type { PreviewSettingsRequest, QueueHistoryRequest } from './settings-preview.dto';

const DAY_MS = 86_400_000;
const DAYS_BY_DEFAULT = 30;
const DAYS_AT_MOST = 92;
/** Less than the timeout of clients. */
const REPLAY_FOR_MS = 20_000;
/** A few milliseconds between two returns to the event loop. */
const STEPS_IN_A_ROW = 8;

@Injectable()
export class SettingsPreviewService {
  private isBusy = false;

  constructor(
    private readonly locator: QueueLocator,
    private readonly histories: HistoryReader,
    private readonly clock: Clock,
  ) {}

  /** Errors: REPOSITORY_NOT_FOUND, MERGE_QUEUE_NOT_FOUND, NO_HISTORY, VALIDATION_FAILED, RATE_LIMIT_EXCEEDED. */
  async preview(caller: Caller, request: PreviewSettingsRequest): Promise<SettingsPreview> {
    return this.alone(async () => {
      const read = await this.read(caller, request);
      const other = { settings: engineSettings(settingsPatch(request)), ...(request.mode && { mode: request.mode }) };
      requireFit(read.history, other);
      const since = this.sinceOf(request).getTime();
      const from = Math.max(since, read.history.from);
      const results = await inTurns(PastResults.learning(read.history));
      const comparison = new SettingsComparison(read.history, other, freezesAround, from, results);
      const isOver = await replayInTurns(comparison);
      return settingsPreview(comparison.result(), read, isOver ? 'all of it' : 'a part');
    });
  }

  /** Errors: as in `preview`. */
  async history(caller: Caller, request: QueueHistoryRequest): Promise<QueueHistory> {
    return this.alone(async () => {
      const { history } = await this.read(caller, request);
      return request.anonymous === true ? inTurns(anonymizing(history)) : history;
    });
  }

  private async read(caller: Caller, request: QueueReference & { since?: string }): Promise<ReadHistory> {
    const queue = await this.locator.queue(caller, request);
    return this.histories.read(queue, this.sinceOf(request), this.clock.now());
  }

  private sinceOf({ since }: { since?: string }): Date {
    const now = this.clock.now().getTime();
    const earliest = now - DAYS_AT_MOST * DAY_MS;
    const asked = since === undefined ? now - DAYS_BY_DEFAULT * DAY_MS : instantOf(since).getTime();
    return new Date(Math.max(asked, earliest));
  }

  /** A preview keeps a processor busy, so each process makes one preview at a time. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.isBusy)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        'Another replay is running, and only one runs at a time: try again in 20 seconds.',
      );
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.isBusy = false;
    }
  }
}

/** False: the time limit was reached. */
async function replayInTurns(comparison: SettingsComparison): Promise<boolean> {
  const begin = performance.now();
  while (!comparison.advance(STEPS_IN_A_ROW)) {
    if (performance.now() - begin > REPLAY_FOR_MS) return false;
    await nextTurn();
  }
  return true;
}

function requireFit({ start }: QueueHistory, { settings, mode }: OtherSettings): void {
  const misfit = misfitOfSettings({ ...start.settings, ...settings }, mode ?? start.mode);
  if (misfit) throw new DomainError(misfit.refusal.code, misfit.refusal.message, misfit.refusal.fields);
}
