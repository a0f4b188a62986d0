import { ValidateIf } from 'class-validator';

/** The field may be absent. Null is refused. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** The field may be absent, or null if null has a meaning of its own. */
export function MayBeAbsentOrNull(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null);
}
