import { createHash, randomBytes } from 'node:crypto';

export const TOKEN_HEADER = 'x-api-token';

const PREFIX = 'slc_';
/** The prefix of the code in a one-time sign-in link. */
const LINK_CODE_PREFIX = 'sll_';
const SECRET_BYTES = 32;

/** 256 random bits cannot be guessed, so a fast hash protects as well as a slow one. */
export function generateToken(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Like `generateToken`, for the code in a sign-in link. */
export function generateLinkCode(): string {
  return LINK_CODE_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

export function looksLikeLinkCode(text: string): boolean {
  return /^sll_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored form: SHA-256 in hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function looksLikeToken(text: string): boolean {
  return /^slc_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The text without tokens and without codes of sign-in links. */
export function hideTokens(text: string): string {
  return text.replace(/(slc_|sll_)[A-Za-z0-9_-]{8,}/g, '$1[hidden]');
}
