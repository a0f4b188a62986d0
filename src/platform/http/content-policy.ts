import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** `no-referrer` would make browsers send `Origin: null` with forms, and a form must show where it comes from. */
const COMMON = { referrerPolicy: { policy: 'same-origin' } } as const;

const SELF = ["'self'"];
const forAll = helmet({
  ...COMMON,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: SELF,
      styleSrc: SELF,
      imgSrc: SELF,
      connectSrc: SELF,
      formAction: SELF,
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** Swagger UI writes styles into its page. It is served over plain HTTP inside a company, too. */
const forDocumentation = helmet({
  ...COMMON,
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
});

/** What a browser may load and run: nothing but our own files, and no text of a page as a script or a style. */
export function contentPolicy(request: Request, response: Response, next: NextFunction): void {
  const isDocumentation = request.path === '/docs' || request.path.startsWith('/docs/');
  (isDocumentation ? forDocumentation : forAll)(request, response, next);
}
