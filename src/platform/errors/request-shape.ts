import type { Type } from '@nestjs/common';
import { MOST_LEVELS } from '../requests/json-text';
import { type ClassField, fieldsOf } from './class-fields';
import { DomainError, type ErrorDetail } from './domain-error';
import { MOST_DETAILS } from './error-body';
import { rejectsUnknownFields } from './reject-unknown-fields';

/**
 * The maximum number of objects, and of lists and fields inside objects without a class. Transforming and checking one
 * object takes up to 50 µs.
 */
const MOST_TO_TRANSFORM = 10_000;
const LONGEST_NAME = 200;
/** class-transformer would call the value of a field with this name. */
const FORBIDDEN_NAME = 'constructor';

export interface ShapedRequest {
  readonly plain: object;
  /** The fields to refuse because the class does not have them. */
  readonly unknown: readonly ErrorDetail[];
}

/**
 * A copy of parsed JSON with only the fields of the class. An empty object or list replaces an object or a list in a
 * wrong place, and the rules of the field refuse it. As a result, large values of the wrong shape are never
 * transformed. Errors: VALIDATION_FAILED for more than 10,000 objects, and for a field `constructor` in an object
 * without a class.
 */
export function shapedAs(type: Type<object>, plain: object): ShapedRequest {
  const shaping = new Shaping(rejectsUnknownFields(type));
  return { plain: shaping.objectOf(type, plain, ''), unknown: shaping.unknown };
}

class Shaping {
  readonly unknown: ErrorDetail[] = [];
  private parts = 0;

  constructor(private readonly rejectsUnknown: boolean) {}

  objectOf(type: Type<object>, plain: object, path: string, level = 1): object {
    this.count(path, level);
    const fields = fieldsOf(type);
    if (this.rejectsUnknown) this.noteUnknown(plain, fields, path);
    const known = [...fields].filter(([name]) => Object.hasOwn(plain, name));
    return Object.fromEntries(
      known.map(([name, field]) => {
        const value = (plain as Readonly<Record<string, unknown>>)[name];
        return [name, this.valueOf(field, value, pathOf(path, name), level + 1)];
      }),
    );
  }

  private valueOf({ type, holds }: ClassField, value: unknown, path: string, level: number): unknown {
    if (!isContainer(value)) return value;
    if (Array.isArray(value)) {
      if (holds === 'one value' || holds === 'one object') return [];
      if (type === undefined) return this.untyped(value, path, level);
      return value.map((element: unknown, i) => this.elementOf(type, element, `${path}.${i}`, level + 1));
    }
    if (holds === 'one value' || holds === 'a list') return {};
    return type === undefined ? this.untyped(value, path, level) : this.objectOf(type, value, path, level);
  }

  private elementOf(type: Type<object>, element: unknown, path: string, level: number): unknown {
    if (isContainer(element) && !Array.isArray(element)) return this.objectOf(type, element, path, level);
    this.count(path, level);
    return isContainer(element) ? [] : element;
  }

  /**
   * Leaves the value unchanged. Values in a list are not counted: they cost little, and some lists have 200,000 values.
   */
  private untyped(value: object, path: string, level: number): object {
    this.count(path, level);
    const names = Array.isArray(value) ? [] : Object.keys(value);
    for (const name of names) {
      this.count(path, level);
      if (name === FORBIDDEN_NAME) throw refused(path, `must not have a field ${FORBIDDEN_NAME}`);
    }
    for (const part of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
      if (isContainer(part)) this.untyped(part, path, level + 1);
    }
    return value;
  }

  private noteUnknown(plain: object, fields: ReadonlyMap<string, ClassField>, path: string): void {
    for (const name of Object.keys(plain)) {
      if (this.unknown.length > MOST_DETAILS) return;
      if (!fields.has(name)) {
        this.unknown.push({ field: pathOf(path, shortened(name)), message: 'is not a field of this request' });
      }
    }
  }

  private count(path: string, level: number): void {
    this.parts += 1;
    if (this.parts > MOST_TO_TRANSFORM) throw refused(path, `must not have more than ${MOST_TO_TRANSFORM} parts`);
    if (level > MOST_LEVELS) throw refused(path, `must not be nested deeper than ${MOST_LEVELS} levels`);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function pathOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

function refused(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${path}: ${message}.`, [{ field: path, message }]);
}
