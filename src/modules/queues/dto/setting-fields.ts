import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import {
  describeDefault,
  describeSetting,
  type QueueSetting,
  type RequestedSettings,
  type ReturnedSettings,
  type SettingTable,
} from '../../../domain/setting-kinds';
import { AnyCase } from '../../shared/any-case';
import { AreObjects } from '../../shared/nested';
import { Check } from '../../shared/check';
import { MayBeAbsent, MayBeAbsentOrNull } from '../../shared/presence';
import { FreezeWindowField } from './freeze-window.dto';
import { StatusReporterField } from './status-reporter.dto';
import { IsText, IsTrueOrFalse, isText } from '../../shared/text';

const MAX_NAME = 255;
const MAX_PATTERN = 1_000;
const MAX_RULES = 1_000;
const MAX_WINDOWS = 20;
const MAX_REPORTERS = 100;

type ClassOf<Instance> = new () => Instance;

class BatchingRule {
  @ApiProperty({ description: 'Targets that the rule is about.', example: '//infra/*', maxLength: MAX_PATTERN })
  @IsText(MAX_PATTERN)
  targetPattern: string;

  @ApiProperty({
    description: 'isolate: pull requests with such a target are tested alone.',
    enum: ['isolate'],
    enumName: 'BatchingPolicy',
    example: 'isolate',
  })
  @AnyCase(['isolate'])
  policy: 'isolate';
}

/** A class with an optional field for every setting, validated by the table. */
export function withRequestedSettings<Base extends object, Table extends SettingTable>(
  base: ClassOf<Base>,
  table: Table,
): ClassOf<Base & RequestedSettings<Table>> {
  return withFields(base, table, (setting, name) => {
    const isNullable = nullMeaning(setting) !== undefined;
    const property = {
      description: `${describeSetting(setting)} ${describeDefault(setting)}`,
      example: setting.example ?? setting.default,
      ...requestSchema(setting, name),
      ...(isNullable && { nullable: true }),
      required: false,
    } as ApiPropertyOptions;
    const presence = isNullable ? MayBeAbsentOrNull() : MayBeAbsent();
    return applyDecorators(ApiProperty(property), presence, ...rulesFor(setting));
  });
}

/** A class with every setting in the form of a record. */
export function withReturnedSettings<Base extends object, Table extends SettingTable>(
  base: ClassOf<Base>,
  table: Table,
): ClassOf<Base & ReturnedSettings<Table>> {
  return withFields(base, table, (setting, name) =>
    ApiProperty({
      description: describeSetting(setting),
      example: setting.example ?? setting.default,
      ...returnedSchema(setting, name),
    }),
  );
}

function withFields<Instance>(
  base: ClassOf<object>,
  table: SettingTable,
  decoratorFor: (setting: QueueSetting, name: string) => PropertyDecorator,
): ClassOf<Instance> {
  class WithSettings extends base {}
  for (const [name, setting] of Object.entries(table)) decoratorFor(setting, name)(WithSettings.prototype, name);
  return WithSettings as ClassOf<Instance>;
}

function requestSchema(setting: QueueSetting, name: string): ApiPropertyOptions {
  switch (setting.kind) {
    case 'integer':
      return { type: 'integer', ...setting.range, format: 'int64' };
    case 'text':
      return { type: String, minLength: 1, maxLength: setting.maxLength };
    default:
      return returnedSchema(setting, name);
  }
}

function returnedSchema(setting: QueueSetting, name: string): ApiPropertyOptions {
  switch (setting.kind) {
    case 'integer':
      return {
        type: 'integer',
        format: 'int64',
        ...(setting.default === null && setting.follows === undefined && { nullable: true }),
      };
    case 'boolean':
      return { type: Boolean };
    case 'choice':
      return { enum: [...setting.choices], enumName: `${name.charAt(0).toUpperCase()}${name.slice(1)}` };
    case 'text':
      return { type: String, ...(setting.default === null && { nullable: true }) };
    case 'names':
      return { type: [String] };
    case 'batching rules':
      return { type: [BatchingRule] };
    case 'freeze windows':
      return { type: [FreezeWindowField] };
    case 'status reporters':
      return { type: [StatusReporterField] };
  }
}

function rulesFor(setting: QueueSetting): PropertyDecorator[] {
  switch (setting.kind) {
    case 'integer':
      return [isQueueInteger(setting.range, nullMeaning(setting))];
    case 'boolean':
      return [IsTrueOrFalse()];
    case 'choice':
      return [AnyCase(setting.choices)];
    case 'text':
      return [IsText(setting.maxLength)];
    case 'names':
      return [areNames()];
    case 'batching rules':
      return [AreObjects(MAX_RULES), ValidateNested({ each: true }), Type(() => BatchingRule)];
    case 'freeze windows':
      return [AreObjects(MAX_WINDOWS), ValidateNested({ each: true }), Type(() => FreezeWindowField)];
    case 'status reporters':
      return [AreObjects(MAX_REPORTERS), ValidateNested({ each: true }), Type(() => StatusReporterField)];
  }
}

function nullMeaning(setting: QueueSetting): string | undefined {
  return 'nullMeans' in setting ? setting.nullMeans : undefined;
}

/** Answers use zero for "off", so the refusal of a zero says which value to send instead. */
function isQueueInteger(range: { minimum: number; maximum: number }, meaning: string | undefined): PropertyDecorator {
  const { minimum, maximum } = range;
  const instead = meaning === undefined ? '' : `; send null for "${meaning}"`;
  return Check(
    'isQueueInteger',
    (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    (value) => `must be an integer from ${minimum} to ${maximum}${value === 0 ? instead : ''}`,
  );
}

function areNames(): PropertyDecorator {
  return Check(
    'areNames',
    (value) => Array.isArray(value) && value.every((name) => isText(name, MAX_NAME) && name.trim() === name),
    `must be a list of strings of 1 to ${MAX_NAME} characters, without blanks at their ends`,
  );
}
