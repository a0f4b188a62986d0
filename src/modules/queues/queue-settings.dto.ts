import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_SETTINGS } from '../../domain/queue-settings';
import { RejectUnknownFields } from '../../platform/errors/reject-unknown-fields';
import { AnyCase } from '../shared/any-case';
import { Check } from '../shared/check';
import { MayBeAbsent } from '../shared/presence';
import { QueueReference } from '../shared/queue-reference.dto';
import { withRequestedSettings } from './dto/setting-fields';

class QueueStateRequest extends QueueReference {
  @ApiProperty({
    description: 'The new state of the queue.',
    enum: ['running', 'paused', 'draining'],
    enumName: 'RequestedQueueState',
    required: false,
    example: 'running',
  })
  @MayBeAbsent()
  @AnyCase(['running', 'paused', 'draining'])
  state?: 'running' | 'paused' | 'draining';
}

/** Every setting is optional: an absent setting keeps its value, or has its default in a new queue. */
@RejectUnknownFields()
export class QueueSettingsRequest extends withRequestedSettings(QueueStateRequest, QUEUE_SETTINGS) {
  @ApiProperty({
    description: 'true removes the required statuses of the queue settings.',
    required: false,
    example: false,
  })
  @MayBeAbsent()
  @Check(
    'isTrueOrFalse',
    (value, object) => typeof value === 'boolean' && !(value && namesStatuses(object)),
    (value) => (value === true ? 'cannot be true together with requiredStatuses' : 'must be true or false'),
  )
  deleteRequiredStatuses?: boolean;
}

export class CreateQueueRequest extends QueueSettingsRequest {}

export class UpdateQueueRequest extends QueueSettingsRequest {}

function namesStatuses(object: object): boolean {
  const { requiredStatuses } = object as QueueSettingsRequest;
  return Array.isArray(requiredStatuses) && requiredStatuses.length > 0;
}
