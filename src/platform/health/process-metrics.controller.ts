import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { register } from 'prom-client';
import { RequireCapability } from '../auth/access.decorators';

/** Metrics of this process. Metrics of queues belong to an organization and have an endpoint of their own. */
@ApiExcludeController()
@RequireCapability('read')
@Controller()
export class ProcessMetricsController {
  @Get('metrics')
  async getProcessMetrics(@Res() response: Response): Promise<void> {
    const text = await register.metrics();
    // Set after the read, because errors are answered as JSON.
    response.setHeader('Content-Type', register.contentType).end(text);
  }
}
