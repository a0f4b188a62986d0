import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { register, Registry } from 'prom-client';
import { RequireCapability } from '../auth/access.decorators';
import { MetricSources } from '../metrics/metric-sources';
import { AdmitAs } from '../http/admission-control';

/**
 * Metrics of this process and of the service. Metrics of single queues belong to an organization and have their own
 * path.
 */
@ApiExcludeController()
@RequireCapability('read')
@AdmitAs('always')
@Controller()
export class ProcessMetricsController {
  constructor(private readonly sources: MetricSources) {}

  @Get('metrics')
  async getProcessMetrics(@Res() response: Response): Promise<void> {
    const all = Registry.merge([register, ...(await this.sources.read())]);
    const text = await all.metrics();
    // The header is set after the metrics are read, because an error is answered as JSON.
    response.setHeader('Content-Type', register.contentType).end(text);
  }
}
