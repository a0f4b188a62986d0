import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import {
  GetTestSettingsRequest,
  MonitorsPreview,
  PreviewMonitorsRequest,
  TestSettings,
  UpdateTestSettingsRequest,
} from './dto/settings.dto';
import { SettingsService } from './settings.service';

const ERRORS = ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'] as const;
const DEMO = { repo: DEMO_REPOSITORY, org_url_slug: 'demo' };

@ApiTags('Test health')
@Controller('flaky-tests')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Post('get-settings')
  @Endpoint({
    summary: 'How the tests of a repository are evaluated and quarantined',
    capability: 'read',
    request: GetTestSettingsRequest,
    requestExamples: { default: { value: DEMO } },
    response: TestSettings,
    errors: ERRORS,
  })
  getSettings(@CurrentCaller() caller: Caller, @Body() request: GetTestSettingsRequest): Promise<TestSettings> {
    return this.settings.read(caller, request);
  }

  @Post('preview-monitors')
  @Endpoint({
    summary: 'Preview monitors on the stored results, before they are saved',
    description: 'Changes nothing. Reads the results of the last 30 days. Muted monitors stay muted.',
    capability: 'read',
    request: PreviewMonitorsRequest,
    requestExamples: {
      default: {
        value: { ...DEMO, monitors: [{ type: 'pass_on_retry', name: 'pass_on_retry', enabled: true, quiet_days: 14 }] },
      },
    },
    response: MonitorsPreview,
    errors: ERRORS,
  })
  previewMonitors(@CurrentCaller() caller: Caller, @Body() request: PreviewMonitorsRequest): Promise<MonitorsPreview> {
    return this.settings.preview(caller, request);
  }

  @Post('update-settings')
  @Endpoint({
    summary: 'Change how the tests of a repository are evaluated and quarantined',
    description:
      'An absent field keeps its value. `monitors` replaces the whole list. Status and quarantine of the tests change at once.',
    capability: 'administer',
    request: UpdateTestSettingsRequest,
    requestExamples: {
      default: {
        summary: 'Quarantine flaky tests',
        value: { ...DEMO, quarantine_enabled: true, auto_quarantine: true },
      },
      monitors: {
        summary: 'Also call tests broken that fail often on main',
        value: {
          ...DEMO,
          monitors: [
            { type: 'pass_on_retry', name: 'pass_on_retry', enabled: true, quiet_days: 7 },
            {
              ...{ type: 'failure_rate', name: 'often on main', enabled: true, window_hours: 24, threshold: 0.5 },
              ...{ minimum_runs: 20, branches: ['main'], verdict: 'broken' },
            },
          ],
        },
      },
    },
    response: TestSettings,
    errors: ERRORS,
  })
  updateSettings(@CurrentCaller() caller: Caller, @Body() request: UpdateTestSettingsRequest): Promise<TestSettings> {
    return this.settings.update(caller, request);
  }
}
