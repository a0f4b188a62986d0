import { type CanActivate, type ExecutionContext, Injectable, type OnModuleInit } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MetricSources } from '../metrics/metric-sources';
import { Backlog } from '../lifecycle/backlog';
import { BackgroundJob } from '../lifecycle/background-job';
import { AdmissionControl, REQUEST_PRIORITY, type RequestPriority } from './admission-control';

const LOOK_EVERY_MS = 250;

/** Gives each request a slot, before the service reads any data for the request. */
@Injectable()
export class AdmissionGuard implements CanActivate, OnModuleInit {
  private readonly admission = new AdmissionControl(() => this.backlog.isLarge);

  constructor(
    private readonly reflector: Reflector,
    private readonly sources: MetricSources,
    private readonly backlog: Backlog,
  ) {}

  onModuleInit(): void {
    this.sources.register('requests', (registry) => this.admission.measure(registry));
  }

  /** The end of a request starts the next request automatically, but no event says that the backlog is small again. */
  @BackgroundJob({ name: 'requests that wait for the backlog', everyMs: LOOK_EVERY_MS })
  beginWaiting(): void {
    this.admission.beginNext();
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handlers = [context.getHandler(), context.getClass()];
    const priority =
      this.reflector.getAllAndOverride<RequestPriority | 'always' | undefined>(REQUEST_PRIORITY, handlers) ?? 'usual';
    if (priority !== 'always') await this.admission.enter(context.switchToHttp().getResponse<Response>(), priority);
    return true;
  }
}
