import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PullRequestsModule } from '../modules/pull-requests/pull-requests.module';
import { QueuesModule } from '../modules/queues/queues.module';
import { ListenerStore } from './listener.store';
import { ListenerWorker } from './listener.worker';
import { MergeQueue } from './merge-queue';

/** The providers that only extensions use. */
@Global()
@Module({
  imports: [DiscoveryModule, PullRequestsModule, QueuesModule],
  providers: [ListenerStore, ListenerWorker, MergeQueue],
  exports: [MergeQueue],
})
export class ExtensionsModule {}
