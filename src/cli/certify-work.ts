// Modules for `sluice certify`, loaded when the command runs.
import { Logger } from '@nestjs/common';

export { certify, cleanUp, type CertifyResult, rowsWith } from './certify/certify';
export { exitOf, rowLine, summaryOf } from './certify/report';
export { contractRows } from './certify/rows/contract-rows';
export type { CertifyRow } from './certify/rows/row';
export { readRunFile, RunFileUnreadable } from './certify/run-file';
export { certifiedKindIn, testedServer } from './certify/servers/make-server';
export { type CertifiedKind, StepRefused, type TestedServer } from './certify/servers/tested-server';
export { WebhookListener } from './certify/world/webhook-listener';
export { STORIES } from './certify/stories/stories';

/** Adapters log every refusal of a server; the report has the relevant refusals. */
export function silenceAdapters(): void {
  Logger.overrideLogger(false);
}
