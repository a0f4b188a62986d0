import { Module } from '@nestjs/common';
import { HostDeliveries } from '../forge/webhooks/host-deliveries';
import { GitHostModule } from '../git/git-host.module';
import { GitHubHostAdapter } from './github-host.adapter';
import { GitHubHosts } from './github-hosts';
import { RepositoryIdentities } from '../repository-identities';
import { ToldPushers } from './told-pushers';
import { GitHubDeliveries } from './webhooks/github-deliveries';
import { GitHubWebhooksController } from './webhooks/github-webhooks.controller';

/** Hosts of kind `github`, and their webhook endpoint. */
@Module({
  imports: [GitHostModule],
  controllers: [GitHubWebhooksController],
  providers: [RepositoryIdentities, HostDeliveries, ToldPushers, GitHubHosts, GitHubHostAdapter, GitHubDeliveries],
})
export class GitHubHostModule {}
