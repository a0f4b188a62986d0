import { Module } from '@nestjs/common';
import { MemoryHostAdapter } from './memory-host.adapter';

/** Hosts of kind `memory`. */
@Module({ providers: [MemoryHostAdapter] })
export class MemoryHostModule {}
