import { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = { string: 'text', array: 'list' };

/**
 * The reason why a value does not have the shape, with the path of the first wrong field and its allowed values; null:
 * the value has the shape.
 */
export function shapeProblem(shape: z.ZodType, value: unknown): string | null {
  const { error } = shape.safeParse(value);
  if (error === undefined) return null;
  const issue = error.issues[0]!;
  return `${z.core.toDotPath(issue.path) || 'it'} ${wordsOf(issue)}`;
}

/** A schema with a row for every field of the type. Other fields are allowed: a newer version may have written them. */
export function shapeOf<T>(fields: { readonly [Field in keyof Required<T>]: z.ZodType }): z.ZodType {
  return z.looseObject(fields);
}

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'boolean'
        ? 'is neither true nor false'
        : `is no ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `is not ${String(issue.values[0])}`
        : `is none of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `is none of ${issue.options.map(String).join(', ')}`
        : `is not allowed: ${issue.message}`;
    case 'too_big':
      return `has more than ${issue.maximum} elements`;
    default:
      return `is not allowed: ${issue.message}`;
  }
}
