import { sign, type KeyObject } from 'node:crypto';

/** GitHub allows ten minutes, by its own clock. */
const LIFE_SECONDS = 9 * 60;
const CLOCK_DIFFERENCE_SECONDS = 30;

/** What an app proves itself with: signed by its private key, for a few minutes. */
export function signAppToken(appId: number | string, privateKey: KeyObject, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = { iat: seconds - CLOCK_DIFFERENCE_SECONDS, exp: seconds + LIFE_SECONDS, iss: String(appId) };
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url');
  return `${signed}.${signature}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
