import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/auth/current-caller';
import type { Caller } from '../../platform/requests/caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { DEMO_COMMIT, DEMO_REPOSITORY } from '../shared/examples';
import { ReportedStatus, ReportStatusRequest } from './dto/report-status.dto';
import { StatusesService } from './statuses.service';
import { AdmitAs } from '../../platform/http/admission-control';

@ApiTags('Statuses')
@Controller()
@AdmitAs('first')
export class StatusesController {
  constructor(private readonly statuses: StatusesService) {}

  @Post('reportStatus')
  @Endpoint({
    summary: 'Report a status of a commit',
    description:
      'Only for repositories on plain git, which has no statuses of its own. For all other repositories, only the statuses at the code host count.',
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
}
