import type { TraceSettings } from './config';
import { choice, type Environment, webAddress } from './environment';

const PATH = 'v1/traces';
const PROTOCOLS = ['http/protobuf'] as const;
const ADDRESS_OF_TRACES = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const ADDRESS = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Absent: no endpoint is set, or OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER turn traces off. */
export function readTraces(env: Environment): TraceSettings | undefined {
  const isDisabled = choice(env, 'OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  if (isDisabled || choice(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none') return undefined;
  const name = env[ADDRESS_OF_TRACES] ? ADDRESS_OF_TRACES : ADDRESS;
  if (!env[name]) return undefined;
  for (const protocol of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    choice(env, protocol, PROTOCOLS, 'http/protobuf');
  }
  const given = webAddress(env, name, ['http:', 'https:'], '');
  const url = name === ADDRESS ? given.replace(/\/*$/, `/${PATH}`) : given;
  return { url, serviceName: env.OTEL_SERVICE_NAME ?? '' };
}
