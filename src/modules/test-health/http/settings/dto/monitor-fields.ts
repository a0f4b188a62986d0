import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Check } from '../../../../shared/check';
import type { Monitor } from '../../../rules/settings';

type MonitorType = Monitor['type'];

/** The types of monitors that must have a field, and the types that may have it. */
interface Owners {
  readonly required: readonly MonitorType[];
  readonly optional: readonly MonitorType[];
}

/** A field that monitors of the types in `owners` must or may have, and that all other monitors must not have. */
export function FieldOf(
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  return field({ required: types, optional: [] }, options, holds, rule);
}

export function OptionalFieldOf(
  types: readonly MonitorType[],
  options: ApiPropertyOptions,
  holds: (value: unknown, monitor: object) => boolean,
  rule: string,
): PropertyDecorator {
  return field({ required: [], optional: types }, options, holds, rule);
}

/** A field with an integer from 1 to `most`. */
export function NumberOf(
  types: Partial<Owners>,
  most: number,
  description: string,
  example: number,
): PropertyDecorator {
  const holds = (value: unknown) => isWithin(value, 1, most);
  const owners = { required: [], optional: [], ...types };
  return field(owners, { type: 'integer', description, example }, holds, `must be an integer from 1 to ${most}`);
}

export function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

function field(
  { required, optional }: Owners,
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
