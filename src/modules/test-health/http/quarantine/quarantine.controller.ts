import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import { GetQuarantinedRequest, QuarantinedAnswer } from './dto/get-quarantined.dto';
import { QuarantinedState, SetQuarantineRequest } from './dto/set-quarantine.dto';
import { QuarantineService } from './quarantine.service';

const ERRORS = ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'] as const;
const DEMO = { repo: DEMO_REPOSITORY, org_url_slug: 'demo' };

@ApiTags('Test health')
@Controller('flaky-tests')
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineService) {}

  @Post('get-quarantined')
  @Endpoint({
    summary: 'Ask which failures a CI run is to ignore',
    description:
      'Name the failed tests by id or by name. A job may pass when `all_quarantined` is true. A test that no upload contains is never quarantined.',
    capability: 'read',
    request: GetQuarantinedRequest,
    requestExamples: {
      default: {
        value: { ...DEMO, tests: [{ name: 'adds widgets', classname: 'Widgets', file: 'test/widgets.spec.ts' }] },
      },
    },
    response: QuarantinedAnswer,
    errors: ERRORS,
  })
  getQuarantined(@CurrentCaller() caller: Caller, @Body() request: GetQuarantinedRequest): Promise<QuarantinedAnswer> {
    return this.quarantine.read(caller, request);
  }

  @Post('set-quarantine')
  @Endpoint({
    summary: 'Set manually whether a test is quarantined',
    description:
      'Takes effect at once. The name of the token, the reason and the time are kept. Tokens of CI jobs may not do this, because CI jobs run code of pull requests, and this code could ignore its own failures.',
    capability: 'administer',
    request: SetQuarantineRequest,
    requestExamples: {
      default: {
        value: {
          ...DEMO,
          test_case_id: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11',
          setting: 'always_quarantine',
          reason: 'Waits for the new widget server; see ticket 7',
        },
      },
    },
    response: QuarantinedState,
    errors: [...ERRORS, 'NOT_FOUND'],
  })
  setQuarantine(@CurrentCaller() caller: Caller, @Body() request: SetQuarantineRequest): Promise<QuarantinedState> {
    return this.quarantine.set(caller, request);
  }
}
