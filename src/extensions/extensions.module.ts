import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ListenerStore } from './listener.store';
import { ListenerWorker } from './listener.worker';

/** What extensions are given beyond the platform. */
@Module({
  imports: [DiscoveryModule],
  providers: [ListenerStore, ListenerWorker],
  exports: [ListenerWorker],
})
export class ExtensionsModule {}
