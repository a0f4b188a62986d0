import { Counter, register, type Registry } from 'prom-client';

/** A counter at /metrics. All applications of a process share the registry; in tests there are several. */
export function processCounter(name: string, help: string): Counter {
  const known = register.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help });
}

/**
 * The series of this process at /metrics. An extension gives it as `registers: [processMetrics]` to the metrics of
 * prom-client that it makes, once for the process, so that a second copy of prom-client does not lead to another registry.
 */
export const processMetrics: Registry = register;
