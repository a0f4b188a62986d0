import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { Check } from './check';
import { MayBeAbsent } from './presence';

type ObjectClass = new () => object;

// `type: () => type()`, because Swagger takes a function as a lazy reference only if its name is `type`.

/** A required object of the given class. `ValidateNested` alone would let a missing object and an array pass. */
export function Nested(type: () => ObjectClass, description: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => type(), description }),
    IsPlainObject(),
    ValidateNested(),
    Type(type),
  );
}

export function OptionalNested(type: () => ObjectClass, description: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => type(), description, required: false }),
    MayBeAbsent(),
    IsPlainObject(),
    ValidateNested(),
    Type(type),
  );
}

function IsPlainObject(): PropertyDecorator {
  return Check(
    'isPlainObject',
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  );
}
