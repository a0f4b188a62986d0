/** Attributes with an address. Values are escaped, so a quote in a page is one of ours. */
const OWN_PATHS = /(\s(?:href|src|action|formaction|data-live|data-ui)=")(?=\/(?!\/))/g;

/**
 * A page whose links, forms and files have the path below which the service is published. Pages are drawn with paths as the service
 * knows them, those of other teams, too; here is the one place that knows better.
 */
export function withPublicPath(markup: string, publicPath: string): string {
  return publicPath === '' ? markup : markup.replace(OWN_PATHS, `$1${publicPath}`);
}
