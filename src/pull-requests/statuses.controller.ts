import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller } from '../platform/auth/current-caller';
import type { Caller } from '../platform/auth/caller';
import { Endpoint } from '../platform/openapi/endpoint';
import { DEMO_COMMIT, DEMO_REPOSITORY } from '../shared/examples';
import { ReportedStatus, ReportStatusRequest } from './dto/report-status.dto';
import { StatusesService } from './statuses.service';

@ApiTags('Statuses')
@Controller()
export class StatusesController {
  constructor(private readonly statuses: StatusesService) {}

  @Post('reportStatus')
  @Endpoint({
    summary: 'Report a status of a commit',
    description:
      'For repositories on plain git, whose host has no statuses of its own. Elsewhere only the statuses of the host count.',
    capability: 'report_status',
    request: ReportStatusRequest,
    requestExamples: {
      default: { value: { repo: DEMO_REPOSITORY, sha: DEMO_COMMIT, context: 'tests', state: 'success' } },
    },
    response: ReportedStatus,
    errors: ['REPOSITORY_NOT_FOUND', 'STATUSES_COME_FROM_HOST', 'UPSTREAM_ERROR'],
  })
  reportStatus(@CurrentCaller() caller: Caller, @Body() request: ReportStatusRequest): Promise<ReportedStatus> {
    return this.statuses.report(caller, request);
  }

  @Get('checkRuns/:id/log')
  @Endpoint({
    summary: 'The log of a command that the built-in check runner ran',
    capability: 'read',
    errors: ['NOT_FOUND'],
  })
  @ApiParam({ name: 'id', description: 'Id of the check run.', example: 'c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The log.', content: { 'text/plain': { schema: { type: 'string' } } } })
  async checkRunLog(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const log = await this.statuses.checkRunLog(caller, id);
    // Set after the read, because errors are answered as JSON.
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(log);
  }
}
