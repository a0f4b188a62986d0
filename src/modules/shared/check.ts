import { type ValidationArguments, registerDecorator } from 'class-validator';

/** A custom rule for one field. The message continues the field's name ("must be …"). */
export function Check(
  name: string,
  holds: (value: unknown, object: object) => boolean,
  message: string | ((value: unknown) => string),
): PropertyDecorator {
  const messageFor = (value: unknown) => (typeof message === 'string' ? message : message(value));
  return (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (value: unknown, { object }: ValidationArguments) => holds(value, object),
        defaultMessage: (asked?: ValidationArguments) => `${asked?.property} ${messageFor(asked?.value)}`,
      },
    });
  };
}
