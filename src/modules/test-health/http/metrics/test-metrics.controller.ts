import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireCapability } from '../../../../platform/auth/access.decorators';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { TestMetricsService } from './test-metrics.service';

/** Metrics for Prometheus, at a path without the prefix `/v1`, where a bearer token is enough. */
@ApiExcludeController()
@RequireCapability('read')
@Controller()
export class TestMetricsController {
  constructor(private readonly metrics: TestMetricsService) {}

  @Get('metrics/tests')
  async getTestMetrics(@CurrentCaller() caller: Caller, @Res() response: Response): Promise<void> {
    const registry = await this.metrics.read(caller);
    const text = await registry.metrics();
    // `send` of Express would reorder the parameters of the content type.
    response.setHeader('Content-Type', registry.contentType).end(text);
  }
}
