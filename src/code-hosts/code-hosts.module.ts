import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CodeHostRegistry } from './code-host.registry';
import { GiteaHostModule } from './gitea/gitea-host.module';
import { GitHostModule } from './git/git-host.module';
import { GitHubHostModule } from './github/github-host.module';
import { GitLabHostModule } from './gitlab/gitlab-host.module';
import { MemoryHostAdapter } from './memory/memory-host.adapter';

/** The kinds of hosts that Sluice ships. README.md says how to add one. */
@Global()
@Module({
  imports: [DiscoveryModule, GitHostModule, GitHubHostModule, GiteaHostModule, GitLabHostModule],
  providers: [CodeHostRegistry, MemoryHostAdapter],
  exports: [CodeHostRegistry],
})
export class CodeHostsModule {}
