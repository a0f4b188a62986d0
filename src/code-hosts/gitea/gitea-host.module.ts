import { Module } from '@nestjs/common';
import { HostDeliveries } from '../forge/webhooks/host-deliveries';
import { GitHostModule } from '../git/git-host.module';
import { RepositoryIdentities } from '../repository-identities';
import { GiteaHostAdapter } from './gitea-host.adapter';
import { GiteaHosts } from './gitea-hosts';
import { GiteaWebhooksController } from './webhooks/gitea-webhooks.controller';

/** Hosts of kind `gitea`, and their webhook endpoint. */
@Module({
  imports: [GitHostModule],
  controllers: [GiteaWebhooksController],
  providers: [RepositoryIdentities, HostDeliveries, GiteaHosts, GiteaHostAdapter],
})
export class GiteaHostModule {}
