import { Counter, register } from 'prom-client';

/** A counter at /metrics. The registry is one for the process, which in tests holds several applications. */
export function processCounter(name: string, help: string): Counter {
  const known = register.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help });
}
