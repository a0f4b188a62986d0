import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CodeHostRegistry } from './code-host.registry';
import { CheckStore } from './git/check-runner/check-book';
import { CheckRunner } from './git/check-runner/check-runner';
import { CheckRuns } from './git/check-runner/check-runs';
import { CloneUpkeep } from './git/clone-upkeep';
import { GitHostAdapter } from './git/git-host.adapter';
import { GitHosts } from './git/git-hosts';
import { GitHubHostAdapter } from './github/github-host.adapter';
import { GitHubHosts } from './github/github-hosts';
import { GitHubDeliveries } from './github/webhooks/github-deliveries';
import { GitHubWebhooksController } from './github/webhooks/github-webhooks.controller';
import { MemoryHostAdapter } from './memory/memory-host.adapter';

@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [GitHubWebhooksController],
  providers: [
    CodeHostRegistry,
    GitHosts,
    GitHostAdapter,
    GitHubHosts,
    GitHubHostAdapter,
    GitHubDeliveries,
    MemoryHostAdapter,
    CheckStore,
    CheckRuns,
    CheckRunner,
    CloneUpkeep,
  ],
  exports: [CodeHostRegistry, GitHubHosts, CheckRunner],
})
export class CodeHostsModule {}
