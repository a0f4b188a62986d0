import { Check } from './check';

const MAX_LENGTH = 244;
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\//u;

/** The rules of `git check-ref-format --branch`; a full ref (`refs/…`) is not a branch name. */
export function isBranchName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || Buffer.byteLength(value) > MAX_LENGTH) return false;
  if (FORBIDDEN.test(value) || value === '@' || value === 'HEAD') return false;
  if (value.startsWith('-') || value.startsWith('refs/') || value.endsWith('.')) return false;
  return value.split('/').every((part) => part.length > 0 && !part.startsWith('.') && !part.endsWith('.lock'));
}

export function IsBranchName(): PropertyDecorator {
  return Check('isBranchName', isBranchName, 'must be a branch name, such as main, without refs/heads/');
}
