import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { DomainError, type ErrorDetail } from './domain-error';
import { MOST_DETAILS } from './error-body';
import { rejectsUnknownFields } from './reject-unknown-fields';
import { shapedAs } from './request-shape';

const WITHOUT_RULES: readonly unknown[] = [String, Boolean, Number, Array, Object, undefined];

/**
 * Checks bodies and queries against their DTO classes and returns an instance. The error names all wrong fields.
 * Unknown fields are dropped, or refused if the class has `@RejectUnknownFields()`. Values are never coerced.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom' || WITHOUT_RULES.includes(metatype)) return value;
    const plain = value ?? {};
    if (typeof plain !== 'object' || Array.isArray(plain)) {
      throw new DomainError('VALIDATION_FAILED', 'The body must be a JSON object.');
    }
    return validated(plain, metatype as Type<object>);
  }
}

async function validated(given: object, type: Type<object>): Promise<object> {
  const { plain, unknown } = shapedAs(type, given);
  const instance = plainToInstance(type, plain);
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: rejectsUnknownFields(type),
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const details = [...unknown, ...errors.flatMap((error) => detailsOf(error, ''))];
  if (details.length > 0) throw new DomainError('VALIDATION_FAILED', summaryOf(details), details);
  return instance;
}

function detailsOf(error: ValidationError, parent: string): ErrorDetail[] {
  const field = parent + error.property;
  const messages = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    rule === 'whitelistValidation' ? 'is not a field of this request' : message,
  );
  const own = messages.length > 0 ? [{ field, message: messages.join('; ') }] : [];
  return [...own, ...(error.children ?? []).flatMap((child) => detailsOf(child, `${field}.`))];
}

function summaryOf(details: readonly ErrorDetail[]): string {
  const [first, ...others] = details;
  if (first !== undefined && others.length === 0) return `${first.field}: ${first.message}.`;
  const named = details.slice(0, MOST_DETAILS).map(({ field }) => field);
  if (named.length < details.length) return `More than ${MOST_DETAILS} fields are wrong, among them ${named[0]}.`;
  return `${details.length} fields are wrong: ${named.join(', ')}.`;
}
