const ANYWHERE = 'http://page.invalid';
const HOME = '/ui';

/** Where sign-in leads back to: the page that a browser asked for. After a form it is the first page. */
export function signInPath({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): string {
  const wanted = method === 'GET' ? returnPath(originalUrl) : HOME;
  return wanted === HOME ? '/ui/sign-in' : `/ui/sign-in?to=${encodeURIComponent(wanted)}`;
}

/** A path of our pages; anything else, such as an address elsewhere, becomes the first page. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !given.startsWith('/') || !URL.canParse(given, ANYWHERE)) return HOME;
  const { origin, pathname, search, hash } = new URL(given, ANYWHERE);
  const isPage = origin === ANYWHERE && (pathname === HOME || pathname.startsWith(`${HOME}/`));
  return isPage && !pathname.startsWith('/ui/sign-') ? pathname + search + hash : HOME;
}
