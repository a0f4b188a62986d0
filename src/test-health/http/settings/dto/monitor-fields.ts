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
): PropertyDecorator {
  return field('required', types, options, holds, rule);
}

export function OptionalFieldOf(
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  return field('optional', types, options, holds, rule);
}

export function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

function field(
  presence: 'required' | 'optional',
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  const only = types.join(' and ');
  const description = `${options.description ?? ''} Only for ${only}.`;
  return applyDecorators(
    ApiProperty({ ...options, description, required: false } as ApiPropertyOptions),
    Check(
      'isFieldOfMonitor',
      (value, monitor) => {
        const isOfType = types.includes((monitor as { type: MonitorType }).type);
        if (value === undefined) return !isOfType || presence === 'optional';
        return isOfType && holds(value, monitor);
      },
      `${rule}; only monitors of type ${types.join(' or ')} have it`,
    ),
  );
}
