import { Global, Module } from '@nestjs/common';
import { HostInbox } from '../code-hosts/code-host.port';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { PagePictures } from '../outbox/page-pictures';
import { DueQueues } from './due-queues';
import { HostEvents } from './host-events';
import { HostPoller } from './host-poller';
import { HostSilence } from './host-silence';
import { InboxBook } from './inbox-book';
import { MergeabilityPoller } from './mergeability-poller';
import { MissedPetitions } from './missed-petitions';
import { NewsReader } from './news-reader';
import { PageFactsReader } from './page-facts-reader';
import { PeopleNewsRoom } from './people-news';
import { QueuePagePictures } from './queue-page-pictures';
import { QueueProcessor } from './queue-processor';
import { QueueTicker } from './queue-ticker';
import { ReadUntil } from './read-until';
import { Retention } from './retention';
import { SnapshotLoader } from './store/snapshot-loader';

@Global()
@Module({
  imports: [CodeHostsModule],
  providers: [
    SnapshotLoader,
    QueueProcessor,
    DueQueues,
    QueueTicker,
    InboxBook,
    PeopleNewsRoom,
    NewsReader,
    HostEvents,
    { provide: HostInbox, useExisting: HostEvents },
    ReadUntil,
    MissedPetitions,
    HostPoller,
    HostSilence,
    MergeabilityPoller,
    PageFactsReader,
    { provide: PagePictures, useClass: QueuePagePictures },
    Retention,
  ],
  exports: [
    QueueProcessor,
    PeopleNewsRoom,
    PagePictures,
    HostInbox,
    QueueTicker,
    HostEvents,
    HostPoller,
    MergeabilityPoller,
  ],
})
export class ProcessingModule {}
