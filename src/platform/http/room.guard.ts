import { type CanActivate, type ExecutionContext, Injectable, type OnModuleInit } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MetricSources } from '../metrics/metric-sources';
import { Arrears } from '../lifecycle/arrears';
import { BackgroundJob } from '../lifecycle/background-job';
import { RequestRoom, TURN, type Turn } from './request-room';

const LOOK_EVERY_MS = 250;

/** Gives each request a slot, before any of its data is read. */
@Injectable()
export class RoomGuard implements CanActivate, OnModuleInit {
  private readonly room = new RequestRoom(() => this.arrears.areLarge);

  constructor(
    private readonly reflector: Reflector,
    private readonly sources: MetricSources,
    private readonly arrears: Arrears,
  ) {}

  onModuleInit(): void {
    this.sources.register('requests', (registry) => this.room.measure(registry));
  }

  /** The end of a request starts the next one automatically, but no event says that the backlog is small again. */
  @BackgroundJob({ name: 'requests that wait for arrears', everyMs: LOOK_EVERY_MS })
  beginWaiting(): void {
    this.room.beginNext();
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handlers = [context.getHandler(), context.getClass()];
    const turn = this.reflector.getAllAndOverride<Turn | 'always' | undefined>(TURN, handlers) ?? 'usual';
    if (turn !== 'always') await this.room.enter(context.switchToHttp().getResponse<Response>(), turn);
    return true;
  }
}
