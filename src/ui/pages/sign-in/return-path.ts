const ANYWHERE = 'http://page.invalid';
const HOME = '/ui';

/** The sign-in URL that leads back to the requested page. After a form, the sign-in leads to the overview. */
export function signInPath({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): string {
  const wanted = method === 'GET' ? returnPath(originalUrl) : HOME;
  return wanted === HOME ? '/ui/sign-in' : `/ui/sign-in?to=${encodeURIComponent(wanted)}`;
}

/** A path of our pages. The path of the overview replaces any other value, such as a URL of another site. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !given.startsWith('/') || !URL.canParse(given, ANYWHERE)) return HOME;
  const { origin, pathname, search, hash } = new URL(given, ANYWHERE);
  const isPage = origin === ANYWHERE && (pathname === HOME || pathname.startsWith(`${HOME}/`));
  return isPage && !pathname.startsWith('/ui/sign-') ? pathname + search + hash : HOME;
}
