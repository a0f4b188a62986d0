import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { OpenToAll } from '../auth/access.decorators';
import { Lifecycle } from '../lifecycle/lifecycle';
import { type ServiceBuild, serviceBuild } from '../service-version';
import { HealthProbes, type ProbeResult } from './health-probes';
import { AdmitAs } from '../http/admission-control';

interface ReadinessAnswer {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: Record<string, ProbeResult>;
}

@ApiExcludeController()
@OpenToAll()
@Controller()
@AdmitAs('always')
export class HealthController {
  constructor(
    private readonly probes: HealthProbes,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** 200 while the process runs. It does not check the database or anything else. */
  @Get('healthz')
  live(): { status: 'alive' } & ServiceBuild {
    return { status: 'alive', ...serviceBuild() };
  }

  /** 200 when load balancers may send requests to this process, otherwise 503. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessAnswer> {
    const checks = await this.probes.check();
    const healthy = Object.values(checks).every((result) => result === 'ok');
    const status = this.lifecycle.isStopping ? 'stopping' : healthy ? 'ready' : 'not_ready';
    response.status(status === 'ready' ? 200 : 503);
    return { status, checks };
  }
}
