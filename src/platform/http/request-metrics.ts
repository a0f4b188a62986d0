import type { NextFunction, Request, Response } from 'express';
import { processHistogram } from '../metrics/process-counter';

const durations = processHistogram({
  name: 'sluice_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Requests without a route share one series, so that scanned paths do not add more. */
const NO_ROUTE = 'none';

/** Measures every answer. A stream that stays open is measured when it ends. */
export function measureRequests(request: Request, response: Response, next: NextFunction): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const status = response.writableFinished ? `${response.statusCode}` : 'aborted';
    const labels = { method: request.method, route: routeOf(request), status };
    durations.observe(labels, (performance.now() - startedAt) / 1_000);
  });
  next();
}

/** The route, such as `/v1/submitPullRequest`; for a path with parameters the pattern, such as `/ui/tests/:id`. */
function routeOf({ route, baseUrl }: Request): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : NO_ROUTE;
}
