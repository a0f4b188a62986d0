import { Check } from './check';

// PostgreSQL's text type cannot hold U+0000 or half a surrogate pair. Valid names contain no control characters at all.
const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}]/u;

export function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= max && !CONTROL_CHARACTER.test(value);
}

/** A non-empty string without control characters. */
export function IsText(max: number): PropertyDecorator {
  return Check(
    'isText',
    (value) => isText(value, max),
    `must be a string of 1 to ${max} characters, none of them a control character`,
  );
}

const COMMIT_ID = /^[0-9a-f]{40}$/i;

export function IsCommitId(): PropertyDecorator {
  return Check(
    'isCommitId',
    (value) => typeof value === 'string' && COMMIT_ID.test(value),
    'must be a full commit id: 40 hexadecimal digits',
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function IsTrueOrFalse(): PropertyDecorator {
  return Check('isTrueOrFalse', (value) => typeof value === 'boolean', 'must be true or false');
}
