/** Attributes that hold a URL. Values in pages are escaped, so every double quote in a page belongs to our markup. */
const OWN_PATHS = /(\s(?:href|src|action|formaction|data-live|data-ui)=")(?=\/(?!\/))/g;

/**
 * Adds the public path of the service to the links, forms and files of a page. Pages, also of extensions, use paths
 * without the public path; only this function adds it.
 */
export function withPublicPath(markup: string, publicPath: string): string {
  return publicPath === '' ? markup : markup.replace(OWN_PATHS, `$1${publicPath}`);
}
