import { DiscoveryService } from '@nestjs/core';

export interface BackgroundJobOptions {
  /** What it does, in the words of the log; no other job has this name. */
  readonly name: string;
  readonly everyMs: number;
}

/**
 * Marks the method of a provider that begins a round of a background job. It is called every `everyMs` milliseconds, not
 * while the service stops, and without waiting for the round before; what it throws is logged. Any number of processes
 * may run the same job at once.
 */
export const BackgroundJob = DiscoveryService.createDecorator<BackgroundJobOptions>();
