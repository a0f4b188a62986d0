import { Global, Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { HostInbox } from '../../domain/code-host.port';
import { DecisionsModule } from '../decisions/decisions.module';
import { UserRequestsModule } from '../user-requests/user-requests.module';
import { CiWatch } from './ci-watch';
import { HostOutage } from './host-outage';
import { HostPoller } from './host-poller';
import { Inbox } from './inbox';
import { InboxStore } from './inbox.store';
import { InboxWorker } from './inbox.worker';
import { TestingBranches } from './testing-branches';
import { MergeabilityPoller } from './mergeability-poller';
import { MissedUserRequests } from './missed-user-requests';
import { Pushers } from './pushers';
import { ServiceUptime } from './service-uptime';

@Global()
@Module({
  imports: [CodeHostsModule, DecisionsModule, UserRequestsModule],
  providers: [
    InboxStore,
    InboxWorker,
    TestingBranches,
    Pushers,
    Inbox,
    { provide: HostInbox, useExisting: Inbox },
    MissedUserRequests,
    HostPoller,
    CiWatch,
    HostOutage,
    MergeabilityPoller,
    ServiceUptime,
  ],
  exports: [HostInbox, Inbox, HostPoller, MergeabilityPoller],
})
export class InboxModule {}
