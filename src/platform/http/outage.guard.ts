import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DatabaseOutage } from '../database/database-outage';
import { unavailableForNow } from '../errors/classify-error';

/** Probes report the state of the service, and do not need the database. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

/** Refuses requests immediately while the database is down: behind a pooler they would wait for minutes. */
@Injectable()
export class OutageGuard implements CanActivate {
  constructor(private readonly outage: DatabaseOutage) {}

  canActivate(context: ExecutionContext): boolean {
    const { path } = context.switchToHttp().getRequest<Request>();
    if (this.outage.isOn && !PROBES.includes(path)) throw unavailableForNow();
    return true;
  }
}
