import { DiscoveryService } from '@nestjs/core';

export interface BackgroundJobOptions {
  /** Unique; shown in the log. */
  readonly name: string;
  readonly everyMs: number;
}

/**
 * Marks a method of a provider as a background job. It is called every `everyMs` milliseconds until the service stops, even
 * while an earlier call is still running. Errors are logged. Any number of processes may run the same job at once.
 */
export const BackgroundJob = DiscoveryService.createDecorator<BackgroundJobOptions>();
