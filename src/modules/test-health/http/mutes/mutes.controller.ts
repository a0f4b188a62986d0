import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import { MutedMonitor, MuteMonitorRequest, UnmuteMonitorRequest } from './dto/mute-monitor.dto';
import { MutesService } from './mutes.service';

const ERRORS = ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND', 'NOT_FOUND'] as const;
const DEMO = {
  repo: DEMO_REPOSITORY,
  org_url_slug: 'demo',
  test_case_id: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11',
  monitor: 'pass_on_retry',
};

@ApiTags('Test health')
@Controller('flaky-tests')
export class MutesController {
  constructor(private readonly mutes: MutesService) {}

  @Post('mute-monitor')
  @Endpoint({
    summary: 'Mute a monitor for one test',
    description:
      'The monitor does not count for the status of the test until the mute ends. A second mute replaces the first. The name of the token, the reason and the time are kept.',
    capability: 'administer',
    request: MuteMonitorRequest,
    requestExamples: { default: { value: { ...DEMO, reason: 'The machine it runs on is being replaced' } } },
    response: MutedMonitor,
    errors: ERRORS,
  })
  muteMonitor(@CurrentCaller() caller: Caller, @Body() request: MuteMonitorRequest): Promise<MutedMonitor> {
    return this.mutes.mute(caller, request);
  }

  @Post('unmute-monitor')
  @Endpoint({
    summary: 'End the mute of a monitor for one test',
    capability: 'administer',
    request: UnmuteMonitorRequest,
    requestExamples: { default: { value: DEMO } },
    response: MutedMonitor,
    errors: ERRORS,
  })
  unmuteMonitor(@CurrentCaller() caller: Caller, @Body() request: UnmuteMonitorRequest): Promise<MutedMonitor> {
    return this.mutes.unmute(caller, request);
  }
}
