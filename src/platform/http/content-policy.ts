import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** With `no-referrer` browsers would send `Origin: null` with forms, and a form must show its origin. */
const COMMON = {
  referrerPolicy: { policy: 'same-origin' },
  // Other services of the same domain need not have TLS.
  strictTransportSecurity: { includeSubDomains: false },
} as const;

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

/** Answers of the API belong to their caller, and no cache may keep them. Lets browsers load and run our own files only: inline scripts and styles are forbidden. */
export function contentPolicy(request: Request, response: Response, next: NextFunction): void {
  if (request.path.startsWith('/v1/')) response.setHeader('Cache-Control', 'no-store');
  const isDocumentation = request.path === '/docs' || request.path.startsWith('/docs/');
  (isDocumentation ? forDocumentation : forAll)(request, response, next);
}
