// `@sluice-queue/sluice/testing`: helpers for tests of an extension. Code that this file does not export may change
// without notice.
export {
  type ContractChanges,
  type ContractParts,
  type ContractRunner,
  describeCodeHostContract,
  type HostWorld,
} from './code-host-contract';
export { MemoryHost } from '../code-hosts/memory/memory-host';
export { SystemClock } from '../platform/clock/clock';
export { type TestAnswer, TestService, type TestServiceOptions, type TestToken } from './test-service';
