import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Background } from '../../../platform/lifecycle/background';
import { Lifecycle } from '../../../platform/lifecycle/lifecycle';
import { stackOf } from '../../../platform/lifecycle/work-pool';
import { TestEvaluator } from './test-evaluator';

const EVERY_MS = 10_000;
const BATCH = 200;

/**
 * Evaluates tests that became due by time, or that a process left due when it died. Any number of instances may run it at
 * once.
 */
@Injectable()
export class EvaluationTicker implements OnApplicationBootstrap {
  private readonly logger = new Logger(EvaluationTicker.name);
  private inHand?: Promise<void>;

  constructor(
    private readonly evaluator: TestEvaluator,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('test monitors', async () => this.inHand);
  }

  @Interval(EVERY_MS)
  tick(): void {
    if (!this.background.isOn || this.lifecycle.isStopping) return;
    this.drain().catch((error: unknown) =>
      this.logger.error('Could not evaluate tests; trying again in ten seconds', stackOf(error)),
    );
  }

  /** Evaluates everything that is due, until the service stops. A call during another one joins it. */
  drain(): Promise<void> {
    this.inHand ??= this.evaluateAll().finally(() => (this.inHand = undefined));
    return this.inHand;
  }

  private async evaluateAll(): Promise<void> {
    let evaluated = BATCH;
    while (evaluated === BATCH && !this.lifecycle.isStopping) evaluated = await this.evaluator.evaluateDue(BATCH);
  }
}
