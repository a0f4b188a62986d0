import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { RejectUnknownFields } from '../../platform/errors/reject-unknown-fields';
import { AnyCase } from '../../shared/dto/any-case';
import { Check } from '../../shared/dto/check';
import { MayBeAbsent } from '../../shared/dto/presence';
import { QueueReference } from '../../shared/dto/queue-reference.dto';
import { IsText } from '../../shared/dto/text';
import {
  BooleanSetting,
  ChoiceSetting,
  IntegerSetting,
  IntegerSettingOrNull,
  NamesSetting,
  NamesSettingOrNull,
  Returned,
  TextSetting,
} from './setting-fields';
import { CHOICES } from './setting-words';

const MAX_PATTERN = 1_000;
const MAX_LABEL = 50;

export class BatchingRule {
  @ApiProperty({ description: 'Targets that the rule is about.', example: '//infra/*', maxLength: MAX_PATTERN })
  @IsText(MAX_PATTERN)
  targetPattern: string;

  @ApiProperty({
    description: 'isolate: pull requests with such a target are tested alone.',
    enum: ['isolate'],
    example: 'isolate',
  })
  @AnyCase(['isolate'])
  policy: 'isolate';
}

/** Every setting, each optional: what is absent keeps its value, or has the default in a new queue. */
@RejectUnknownFields()
export class QueueSettingsRequest extends QueueReference {
  @ApiProperty({
    description: 'State that the queue is to have.',
    enum: ['running', 'paused', 'draining'],
    required: false,
    example: 'running',
  })
  @MayBeAbsent()
  @AnyCase(['running', 'paused', 'draining'])
  state?: 'running' | 'paused' | 'draining';

  @IntegerSetting() concurrency?: number;
  @IntegerSettingOrNull('follow concurrency') bisectionConcurrency?: number | null;
  @IntegerSetting() testingTimeoutMinutes?: number;
  @IntegerSettingOrNull('off') pendingFailureDepth?: number | null;
  @BooleanSetting() canOptimisticallyMerge?: boolean;
  @BooleanSetting() batch?: boolean;
  @IntegerSetting() batchingMaxWaitTimeMinutes?: number;
  @IntegerSetting() batchingMinSize?: number;
  @ChoiceSetting(CHOICES.mode) mode?: (typeof CHOICES.mode)[number];
  @BooleanSetting() commentsEnabled?: boolean;
  @BooleanSetting() commandsEnabled?: boolean;
  @BooleanSetting() createPrsForTestingBranches?: boolean;
  @BooleanSetting() statusCheckEnabled?: boolean;
  @ChoiceSetting(CHOICES.directMergeMode) directMergeMode?: (typeof CHOICES.directMergeMode)[number];
  @ChoiceSetting(CHOICES.optimizationMode) optimizationMode?: (typeof CHOICES.optimizationMode)[number];
  @ChoiceSetting(CHOICES.mergeMethod) mergeMethod?: (typeof CHOICES.mergeMethod)[number];
  @NamesSettingOrNull('none set by hand, like an empty list') requiredStatuses?: string[] | null;

  @ApiProperty({ description: 'true removes the required statuses set by hand.', required: false, example: false })
  @MayBeAbsent()
  @Check(
    'isTrueOrFalse',
    (value, object) => typeof value === 'boolean' && !(value && namesStatuses(object)),
    (value) => (value === true ? 'cannot be true together with requiredStatuses' : 'must be true or false'),
  )
  deleteRequiredStatuses?: boolean;

  @BooleanSetting() extensionEnabled?: boolean;
  @BooleanSetting() labelCommandsEnabled?: boolean;
  @BooleanSetting() stateLabelsEnabled?: boolean;
  @TextSetting(MAX_LABEL) enqueueingLabel?: string;
  @IntegerSetting() notReadyTimeoutHours?: number;
  @ChoiceSetting(CHOICES.testBranchConstructionMode)
  testBranchConstructionMode?: (typeof CHOICES.testBranchConstructionMode)[number];
  @NamesSetting() allowedBotSubmitters?: string[];

  @Returned({ type: [BatchingRule], required: false })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1_000)
  @ValidateNested({ each: true })
  @Type(() => BatchingRule)
  batchingRules?: BatchingRule[];
}

export class CreateQueueRequest extends QueueSettingsRequest {}

export class UpdateQueueRequest extends QueueSettingsRequest {}

function namesStatuses(object: object): boolean {
  const { requiredStatuses } = object as QueueSettingsRequest;
  return Array.isArray(requiredStatuses) && requiredStatuses.length > 0;
}
