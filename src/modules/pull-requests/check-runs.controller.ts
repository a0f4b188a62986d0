import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { CheckRunsService } from './check-runs.service';
import { CheckRunRecord } from './check-run.dto';

const ID = { name: 'id', description: 'Id of the check run.', example: 'c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c' };

@ApiTags('Statuses')
@Controller('checkRuns')
export class CheckRunsController {
  constructor(private readonly checkRuns: CheckRunsService) {}

  @Get(':id')
  @Endpoint({
    summary: 'A command that the built-in check runner ran',
    capability: 'read',
    response: CheckRunRecord,
    errors: ['NOT_FOUND'],
  })
  @ApiParam(ID)
  getCheckRun(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<CheckRunRecord> {
    return this.checkRuns.read(caller, id);
  }

  @Get(':id/log')
  @Endpoint({
    summary: 'The log of a command that the built-in check runner ran',
    capability: 'read',
    errors: ['NOT_FOUND'],
  })
  @ApiParam(ID)
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The log.', content: { 'text/plain': { schema: { type: 'string' } } } })
  async checkRunLog(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const log = await this.checkRuns.log(caller, id);
    // The header is set after the log is read, because an error is answered as JSON.
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(log);
  }
}
