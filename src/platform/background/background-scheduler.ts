import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DatabaseOutage } from '../database/database-outage';
import { Background } from '../lifecycle/background';
import { BackgroundJob, type BackgroundJobOptions } from '../lifecycle/background-job';
import { Lifecycle } from '../lifecycle/lifecycle';
import { runAs } from '../requests/current-work';

interface FoundJob extends BackgroundJobOptions {
  /** `Class.method` */
  readonly of: string;
  beginRound(): unknown;
}

/** Calls every method marked with `@BackgroundJob` at its interval, including methods in extensions. */
@Injectable()
export class BackgroundScheduler implements OnApplicationBootstrap {
  private readonly logger = new Logger(BackgroundScheduler.name);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly timers: SchedulerRegistry,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly outage: DatabaseOutage,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.background.isOn) return;
    // The registry refuses a second job with the same name, and clears its timers when the service stops.
    for (const job of this.jobs()) {
      this.timers.addInterval(
        job.name,
        setInterval(() => void this.runRound(job), job.everyMs),
      );
    }
  }

  jobs(): FoundJob[] {
    return this.discovery.getProviders().flatMap((wrapper) => {
      const instance = wrapper.instance as Record<string, () => unknown> | null | undefined;
      if (typeof instance !== 'object' || instance === null || !wrapper.isDependencyTreeStatic()) return [];
      // A provider with `useExisting` is an instance that this list already contains.
      if (wrapper.isAlias) return [];
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((method) => {
        const options = this.discovery.getMetadataByDecorator(BackgroundJob, wrapper, method);
        if (options === undefined) return [];
        return [{ ...options, of: `${instance.constructor.name}.${method}`, beginRound: () => instance[method]!() }];
      });
    });
  }

  private async runRound(job: FoundJob): Promise<void> {
    if (this.lifecycle.isStopping || this.outage.isOn) return;
    try {
      await runAs(
        job,
        ({ name }) => `the background job "${name}"`,
        () => job.beginRound(),
      );
    } catch (error) {
      this.outage.report(this.logger, `The background job "${job.name}" failed`, error);
    }
  }
}
