import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** With `no-referrer` browsers would send `Origin: null` with forms, and a form must show its origin. */
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

/** Swagger UI writes styles into its page. Companies may also serve this page over plain HTTP. */
const forDocumentation = helmet({
  ...COMMON,
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
});

/** Lets browsers load and run our own files only: inline scripts and styles are forbidden. */
export function contentPolicy(request: Request, response: Response, next: NextFunction): void {
  const isDocumentation = request.path === '/docs' || request.path.startsWith('/docs/');
  (isDocumentation ? forDocumentation : forAll)(request, response, next);
}
