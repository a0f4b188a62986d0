import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CodeHostRegistry } from './code-host.registry';
import { CheckRuns } from './git/check-runner/check-runs';
import { GitHostAdapter } from './git/git-host.adapter';
import { MemoryHostAdapter } from './memory/memory-host.adapter';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [CodeHostRegistry, GitHostAdapter, MemoryHostAdapter, CheckRuns],
  exports: [CodeHostRegistry],
})
export class CodeHostsModule {}
