import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { AnyCase } from '../../shared/dto/any-case';
import { Check } from '../../shared/dto/check';
import { MayBeAbsent, MayBeAbsentOrNull } from '../../shared/dto/presence';
import { IsText, IsTrueOrFalse, isText } from '../../shared/dto/text';
import { SETTING_WORDS } from './setting-words';

const MAX_INTEGER = 4_294_967_295;
const MAX_NAME = 255;
const INTEGER = { type: 'integer', minimum: 1, maximum: MAX_INTEGER, format: 'int64' } as const;

/** 1 to 4294967295. Zero reads as "off" in answers, so its refusal says what to send instead. */
export function IntegerSetting(): PropertyDecorator {
  return setting(INTEGER, MayBeAbsent(), isQueueInteger(''));
}

/** The same, or null; `meaning` says what null does. */
export function IntegerSettingOrNull(meaning: string): PropertyDecorator {
  return setting(
    { ...INTEGER, nullable: true, description: `Null: ${meaning}.` },
    MayBeAbsentOrNull(),
    isQueueInteger(`; send null for "${meaning}"`),
  );
}

export function BooleanSetting(): PropertyDecorator {
  return setting({ type: Boolean }, MayBeAbsent(), IsTrueOrFalse());
}

export function ChoiceSetting(choices: readonly string[]): PropertyDecorator {
  return setting({ enum: [...choices] }, MayBeAbsent(), AnyCase(choices));
}

export function TextSetting(max: number): PropertyDecorator {
  return setting({ type: String, minLength: 1, maxLength: max }, MayBeAbsent(), IsText(max));
}

export function NamesSetting(): PropertyDecorator {
  return setting({ type: [String] }, MayBeAbsent(), areNames());
}

export function NamesSettingOrNull(meaning: string): PropertyDecorator {
  return setting({ type: [String], nullable: true, description: `Null: ${meaning}.` }, MayBeAbsentOrNull(), areNames());
}

/** A setting as a record returns it. */
export function Returned(options: ApiPropertyOptions): PropertyDecorator {
  return (target, name) => ApiProperty({ ...SETTING_WORDS[String(name)], ...options })(target, name);
}

function setting(options: ApiPropertyOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  return (target, name) => {
    const words = SETTING_WORDS[String(name)];
    const description = [words?.description, options.description].filter(Boolean).join(' ');
    const property = { ...words, ...options, description, required: false } as ApiPropertyOptions;
    applyDecorators(ApiProperty(property), ...rules)(target, name);
  };
}

function isQueueInteger(instead: string): PropertyDecorator {
  return Check(
    'isQueueInteger',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_INTEGER,
    (value) => `must be an integer from 1 to ${MAX_INTEGER}${value === 0 ? instead : ''}`,
  );
}

function areNames(): PropertyDecorator {
  return Check(
    'areNames',
    (value) => Array.isArray(value) && value.every((name) => isText(name, MAX_NAME)),
    `must be a list of strings of 1 to ${MAX_NAME} characters`,
  );
}
