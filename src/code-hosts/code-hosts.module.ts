import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CodeHostRegistry } from './code-host.registry';
import { GitHostModule } from './git/git-host.module';
import { GitHubHostModule } from './github/github-host.module';
import { MemoryHostModule } from './memory/memory-host.module';

/** Every kind of host that ships; README.md says how one is added. */
@Global()
@Module({
  imports: [DiscoveryModule, GitHostModule, GitHubHostModule, MemoryHostModule],
  providers: [CodeHostRegistry],
  exports: [CodeHostRegistry],
})
export class CodeHostsModule {}
