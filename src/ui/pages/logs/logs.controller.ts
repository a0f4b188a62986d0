import { Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { CheckRunsService } from '../../../modules/pull-requests/check-runs.service';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { CurrentVisit, type Visit } from '../../visit';
import { logPage } from './log.view';

@PageController('logs')
export class LogsController {
  constructor(
    private readonly checkRuns: CheckRunsService,
    private readonly clock: Clock,
  ) {}

  @Get(':id')
  async show(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Param('id') id: string): Promise<Html> {
    const [check, log] = await Promise.all([this.checkRuns.read(caller, id), this.checkRuns.log(caller, id)]);
    return logPage(visit, check, log, this.clock.now());
  }

  @Get(':id/text')
  async text(@CurrentCaller() caller: Caller, @Param('id') id: string, @Res() response: Response): Promise<void> {
    const log = await this.checkRuns.log(caller, id);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(log);
  }
}
