import type { CookieOptions, Request, Response } from 'express';
import { publicPathOf } from '../http/public-path';

const NAME = 'sluice_session';

/**
 * The session's cookie; undefined: there is none, or there are several. Another site of the same domain can add a cookie
 * of this name, so with several of them nobody is signed in.
 */
export function sessionCookieIn(request: Request, publicUrl: string): string | undefined {
  const found = cookiesIn(request, cookieFor(publicUrl).name);
  return found.length === 1 ? found[0] : undefined;
}

/** The first cookie with this name; undefined: none. */
export function cookieIn(request: Request, name: string): string | undefined {
  return cookiesIn(request, name)[0];
}

export function setSessionCookie(response: Response, value: string, expires: Date, publicUrl: string): void {
  const { name, attributes } = cookieFor(publicUrl);
  response.cookie(name, value, { ...attributes, expires });
}

export function clearSessionCookie(response: Response, publicUrl: string): void {
  const { name, attributes } = cookieFor(publicUrl);
  response.clearCookie(name, attributes);
}

function cookiesIn(request: Request, name: string): readonly string[] {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/**
 * Browsers accept the prefixes only from https, and `__Host-` only with `Path=/` and without a domain. So no other site
 * and no plain http can set this cookie; the service itself reads it for pages only. `SameSite=Lax`, so that a link in
 * a chat opens the page instead of the sign-in. Every change is a POST, which other sites cannot send: see
 * `SameOriginGuard`.
 */
function cookieFor(publicUrl: string): { readonly name: string; readonly attributes: CookieOptions } {
  const common = { httpOnly: true, sameSite: 'lax' } as const;
  const prefix = publicPathOf(publicUrl);
  if (!publicUrl.startsWith('https:')) return { name: NAME, attributes: { ...common, path: `${prefix}/ui` } };
  if (prefix === '') return { name: `__Host-${NAME}`, attributes: { ...common, secure: true, path: '/' } };
  return { name: `__Secure-${NAME}`, attributes: { ...common, secure: true, path: `${prefix}/ui` } };
}
