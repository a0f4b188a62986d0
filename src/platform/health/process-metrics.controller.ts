import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { register } from 'prom-client';
import { RequireRole } from '../auth/access.decorators';

/** Metrics of this process; those of the queues are per organization and have their own endpoint. */
@ApiExcludeController()
@RequireRole('read')
@Controller()
export class ProcessMetricsController {
  @Get('metrics')
  @Header('Content-Type', register.contentType)
  getProcessMetrics(): Promise<string> {
    return register.metrics();
  }
}
