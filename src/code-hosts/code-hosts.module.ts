import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CodeHostRegistry } from './code-host.registry';
import { CheckBook } from './git/check-runner/check-book';
import { CheckRunner } from './git/check-runner/check-runner';
import { CheckRuns } from './git/check-runner/check-runs';
import { CloneUpkeep } from './git/clone-upkeep';
import { GitHostAdapter } from './git/git-host.adapter';
import { GitHosts } from './git/git-hosts';
import { MemoryHostAdapter } from './memory/memory-host.adapter';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    CodeHostRegistry,
    GitHosts,
    GitHostAdapter,
    MemoryHostAdapter,
    CheckBook,
    CheckRuns,
    CheckRunner,
    CloneUpkeep,
  ],
  exports: [CodeHostRegistry, CheckRunner],
})
export class CodeHostsModule {}
