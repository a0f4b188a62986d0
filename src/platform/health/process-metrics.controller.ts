import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { register } from 'prom-client';
import { RequireCapability } from '../auth/access.decorators';

/** Metrics of this process; those of the queues are per organization and have their own endpoint. */
@ApiExcludeController()
@RequireCapability('read')
@Controller()
export class ProcessMetricsController {
  @Get('metrics')
  async getProcessMetrics(@Res() response: Response): Promise<void> {
    const text = await register.metrics();
    // Only now: an error is answered as JSON.
    response.setHeader('Content-Type', register.contentType).end(text);
  }
}
