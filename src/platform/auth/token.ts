import { createHash, randomBytes } from 'node:crypto';

export const TOKEN_HEADER = 'x-api-token';

const PREFIX = 'slc_';
const SECRET_BYTES = 32;

/** 256 random bits: nothing to guess, so a plain hash of it is as good as a slow one. */
export function generateToken(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored form: sha256 in hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function looksLikeToken(text: string): boolean {
  return /^slc_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Every token in the text, replaced. */
export function hideTokens(text: string): string {
  return text.replace(/slc_[A-Za-z0-9_-]{8,}/g, 'slc_[hidden]');
}
