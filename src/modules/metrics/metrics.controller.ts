import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller } from '../../platform/auth/current-caller';
import type { Caller } from '../../platform/requests/caller';
import { RequireCapability } from '../../platform/auth/access.decorators';
import { Endpoint } from '../../platform/openapi/endpoint';
import { MetricsQuery } from './metrics-query.dto';
import { MetricsService } from './metrics.service';
import { AdmitAs } from '../../platform/http/admission-control';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

@ApiTags('Metrics')
@Controller()
@AdmitAs('always')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get('getMergeQueueMetrics')
  @Endpoint({
    summary: 'Metrics of queues, for Prometheus',
    description: 'Gauges of the present state of each queue, and counts and durations of the last hour from its log.',
    capability: 'read',
    errors: ['VALIDATION_FAILED', 'REPOSITORY_NOT_FOUND'],
  })
  @ApiOkResponse({ description: 'Prometheus text.', content: { [CONTENT_TYPE]: { schema: { type: 'string' } } } })
  async getMergeQueueMetrics(
    @CurrentCaller() caller: Caller,
    @Query() query: MetricsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const text = await this.metrics.read(caller, query);
    // `send` of Express would reorder the parameters of the content type.
    response.setHeader('Content-Type', CONTENT_TYPE).end(text);
  }

  /** The same metrics for Prometheus itself, at a path without the prefix `/v1`, where a bearer token is enough. */
  @Get('metrics/queues')
  @RequireCapability('read')
  @ApiExcludeEndpoint()
  getQueueMetrics(@CurrentCaller() caller: Caller, @Res() response: Response): Promise<void> {
    return this.getMergeQueueMetrics(caller, {}, response);
  }
}
