import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { Check } from './check';
import { MayBeAbsent } from './presence';
import { isMapping } from '../../platform/mapping';

type ObjectClass = new () => object;

// The options contain `type: () => type()`, because Swagger takes a function as a lazy reference only if the function's
// name is `type`.

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

/** A required list of objects of the given class. */
export function NestedList(type: () => ObjectClass, most: number, description: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => [type()], description, maxItems: most }),
    AreObjects(most),
    ValidateNested({ each: true }),
    Type(type),
  );
}

/**
 * Refuses a list that contains anything but objects. `ValidateNested`, which checks the elements, would look into a
 * list within the list, and accept an empty one.
 */
export function AreObjects(most: number): PropertyDecorator {
  return Check(
    'isListOfObjects',
    (value) => Array.isArray(value) && value.length <= most && value.every(isMapping),
    `must be a list of at most ${most} objects`,
  );
}

function IsPlainObject(): PropertyDecorator {
  return Check('isPlainObject', isMapping, 'must be an object');
}
