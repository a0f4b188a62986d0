import { Module } from '@nestjs/common';
import { HostDeliveries } from '../forge/webhooks/host-deliveries';
import { GitHostModule } from '../git/git-host.module';
import { RepositoryIdentities } from '../repository-identities';
import { GitLabHostAdapter } from './gitlab-host.adapter';
import { GitLabHosts } from './gitlab-hosts';
import { GitLabWebhooksController } from './webhooks/gitlab-webhooks.controller';

/** Hosts of kind `gitlab`, and their webhook endpoint. */
@Module({
  imports: [GitHostModule],
  controllers: [GitLabWebhooksController],
  providers: [RepositoryIdentities, HostDeliveries, GitLabHosts, GitLabHostAdapter],
})
export class GitLabHostModule {}
