import 'reflect-metadata';

const KEY = Symbol('rejectUnknownFields');

/** For a request whose unknown fields are refused by name. Elsewhere they are ignored. */
export function RejectUnknownFields(): ClassDecorator {
  return (target) => Reflect.defineMetadata(KEY, true, target);
}

export function rejectsUnknownFields(type: object): boolean {
  return Reflect.hasMetadata(KEY, type);
}
