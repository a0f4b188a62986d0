import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';

/** A field of a request and its type. */
export interface ClassField {
  /** Objects in the field become instances of this class. Absent: they stay plain objects. */
  readonly type?: Type<object>;
  readonly holds: 'one value' | 'one object' | 'a list' | 'anything';
}

/** Classes without fields of their own. */
const VALUES: readonly unknown[] = [String, Number, Boolean, Date, Buffer, Object, Array, Map, Set];
const SIMPLE: readonly unknown[] = [String, Number, Boolean];

const known = new WeakMap<object, ReadonlyMap<string, ClassField>>();

/** The fields of a DTO class, by their names in a request. A field without class-validator rules is unknown. */
export function fieldsOf(type: Type<object>): ReadonlyMap<string, ClassField> {
  const found = known.get(type) ?? readFields(type);
  known.set(type, found);
  return found;
}

function readFields(type: Type<object>): ReadonlyMap<string, ClassField> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Map(rules.map(({ propertyName }) => [nameOf(type, propertyName), fieldOf(type, propertyName)]));
}

// class-transformer returns undefined for an unknown field; the types of class-transformer do not say so.

function nameOf(type: Type<object>, property: string): string {
  const exposed = defaultMetadataStorage.findExposeMetadata(type, property) as
    { options: { name?: string } } | undefined;
  return exposed?.options.name ?? property;
}

function fieldOf(type: Type<object>, property: string): ClassField {
  const declared: unknown = Reflect.getMetadata('design:type', type.prototype as object, property);
  const nested = nestedTypeOf(type, property);
  if (nested === undefined) return { holds: SIMPLE.includes(declared) ? 'one value' : 'anything' };
  if (declared === Map || declared === Set) return { holds: 'anything' };
  if (declared === Array) return { type: nested, holds: 'a list' };
  return { type: nested, holds: declared === nested ? 'one object' : 'anything' };
}

/** The class that @Type names; undefined if the class depends on the object. */
function nestedTypeOf(type: Type<object>, property: string): Type<object> | undefined {
  const found = defaultMetadataStorage.findTypeMetadata(type, property) as
    { typeFunction?: () => unknown; options: { discriminator?: object } } | undefined;
  if (found?.typeFunction === undefined || found.typeFunction.length > 0) return undefined;
  if (found.options.discriminator !== undefined) return undefined;
  const nested = found.typeFunction();
  return typeof nested === 'function' && !VALUES.includes(nested) ? (nested as Type<object>) : undefined;
}
