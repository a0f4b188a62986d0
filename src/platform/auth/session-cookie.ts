import type { Request, Response } from 'express';
import { publicPathOf } from '../http/public-path';

const NAME = 'sluice_session';

export function sessionCookieIn(request: Request): string | undefined {
  return cookieIn(request, NAME);
}

/** The first cookie with this name; undefined: none. */
export function cookieIn(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * `SameSite=Lax`, so that a link in a chat opens the page instead of the sign-in. Every change is a POST, which other
 * sites cannot send: see `SameOriginGuard`.
 */
export function setSessionCookie(response: Response, value: string, expires: Date, publicUrl: string): void {
  response.cookie(NAME, value, { ...attributesFor(publicUrl), expires });
}

export function clearSessionCookie(response: Response, publicUrl: string): void {
  response.clearCookie(NAME, attributesFor(publicUrl));
}

function attributesFor(publicUrl: string) {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: `${publicPathOf(publicUrl)}/ui`,
    secure: publicUrl.startsWith('https:'),
  } as const;
}
