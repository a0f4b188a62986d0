import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Check } from './check';

/** One of the given lower-case words, in any letter case. The handler gets the word in lower case. */
export function AnyCase(words: readonly string[]): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    Check(
      'isOneOf',
      (value) => typeof value === 'string' && words.includes(value),
      `must be one of: ${words.join(', ')}`,
    ),
  );
}
