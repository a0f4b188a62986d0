import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Check } from '../../../../shared/dto/check';
import type { Monitor } from '../../../rules/settings';

type MonitorType = Monitor['type'];

/** A field that monitors of these types must have, and others must not. */
export function FieldOf(
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
  /** Types that may have it as well. */
  optional: readonly MonitorType[] = [],
): PropertyDecorator {
  return field({ required: types, optional }, options, holds, rule);
}

export function OptionalFieldOf(
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  return field({ required: [], optional: types }, options, holds, rule);
}

export function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

function field(
  { required, optional }: { readonly required: readonly MonitorType[]; readonly optional: readonly MonitorType[] },
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  const types = [...required, ...optional];
  const only = types.join(' and ');
  const description = `${options.description ?? ''} Only for ${only}.`;
  return applyDecorators(
    ApiProperty({ ...options, description, required: false } as ApiPropertyOptions),
    Check(
      'isFieldOfMonitor',
      (value, monitor) => {
        const { type } = monitor as { type: MonitorType };
        if (value === undefined) return !required.includes(type);
        return types.includes(type) && holds(value, monitor);
      },
      `${rule}; only monitors of type ${types.join(' or ')} have it`,
    ),
  );
}
