import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Endpoint } from '../../../platform/openapi/endpoint';
import { DEMO_QUEUE } from '../../shared/examples';
import {
  PreviewSettingsRequest,
  QueueHistoryRecord,
  QueueHistoryRequest,
  SettingsPreviewRecord,
} from '../settings-preview.dto';
import { SettingsPreviewService } from '../settings-preview.service';
import { AdmitAs } from '../../../platform/http/admission-control';

@ApiTags('Queues')
@Controller()
export class ReplayController {
  constructor(private readonly previews: SettingsPreviewService) {}

  @Post('previewSettings')
  @AdmitAs('last')
  @Endpoint({
    summary: 'Replay the queue with other settings',
    description:
      'Replays the history of the queue with the settings that were in force and with the settings of the request, and changes nothing. Accepts the settings of updateQueue; an absent setting keeps the value that was in force. A replay takes up to 20 seconds; each process of the service runs one replay at a time.',
    capability: 'administer',
    request: PreviewSettingsRequest,
    requestExamples: { default: { value: { ...DEMO_QUEUE, batch: true, batchingMinSize: 8 } } },
    response: SettingsPreviewRecord,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'NO_HISTORY'],
  })
  previewSettings(
    @CurrentCaller() caller: Caller,
    @Body() request: PreviewSettingsRequest,
  ): Promise<SettingsPreviewRecord> {
    return this.previews.preview(caller, request);
  }

  @Post('getQueueHistory')
  @Endpoint({
    summary: 'Export the history of a queue, to replay it elsewhere',
    description:
      'For `sluice replay --from`. The export contains no titles, no names of people and no names of branches. The format may change with any version.',
    capability: 'administer',
    request: QueueHistoryRequest,
    requestExamples: { default: { value: { ...DEMO_QUEUE, anonymous: true } } },
    response: QueueHistoryRecord,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'NO_HISTORY'],
  })
  getQueueHistory(@CurrentCaller() caller: Caller, @Body() request: QueueHistoryRequest): Promise<QueueHistoryRecord> {
    return this.previews.history(caller, request);
  }
}
