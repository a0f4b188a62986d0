import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundJob } from '../../../../platform/lifecycle/background-job';
import { Lifecycle } from '../../../../platform/lifecycle/lifecycle';
import { TestEvaluator } from './test-evaluator';

const EVERY_MS = 10_000;
const BATCH = 200;

/**
 * Evaluates tests that became due by time, and tests that a dead process left due. Any number of instances may run it
 * at once.
 */
@Injectable()
export class EvaluationTicker implements OnApplicationBootstrap {
  private inProgress?: Promise<void>;

  constructor(
    private readonly evaluator: TestEvaluator,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('test monitors', async () => this.inProgress);
  }

  /** Evaluates everything that is due now, or until the service stops. A call during a run joins that run. */
  @BackgroundJob({ name: 'evaluation of tests', everyMs: EVERY_MS })
  drain(): Promise<void> {
    this.inProgress ??= this.evaluateAll().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async evaluateAll(): Promise<void> {
    let evaluated = BATCH;
    while (evaluated === BATCH && !this.lifecycle.isStopping) evaluated = await this.evaluator.evaluateDue(BATCH);
  }
}
