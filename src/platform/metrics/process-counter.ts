import { Counter, Histogram, register, type Registry } from 'prom-client';

/**
 * A counter at /metrics. All applications of a process share the registry; in tests, a process has several
 * applications.
 */
export function processCounter<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  const known = register.getSingleMetric(name) as Counter<Label> | undefined;
  return known ?? new Counter({ name, help, labelNames });
}

interface ProcessHistogram<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** Upper bounds, in seconds. */
  readonly buckets: readonly number[];
}

/** A histogram of durations at /metrics, made once for each process, like a counter. */
export function processHistogram<Label extends string>(wanted: ProcessHistogram<Label>): Histogram<Label> {
  const known = register.getSingleMetric(wanted.name) as Histogram<Label> | undefined;
  return known ?? new Histogram({ ...wanted, buckets: [...wanted.buckets] });
}

/**
 * The series of this process at /metrics. An extension passes it as `registers: [processMetrics]` to its prom-client
 * metrics, made once for the process. Without this registry, the extension's own copy of prom-client would use another
 * registry, which /metrics does not show.
 */
export const processMetrics: Registry = register;
