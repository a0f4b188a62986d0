import 'reflect-metadata';

const KEY = Symbol('rejectUnknownFields');

/**
 * On a DTO class of a request: unknown fields are refused by name. Without this decorator, unknown fields are ignored.
 */
export function RejectUnknownFields(): ClassDecorator {
  return (target) => Reflect.defineMetadata(KEY, true, target);
}

export function rejectsUnknownFields(type: object): boolean {
  return Reflect.hasMetadata(KEY, type);
}
