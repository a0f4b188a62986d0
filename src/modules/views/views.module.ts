import { Module } from '@nestjs/common';
import { DecisionsModule } from '../../processing/decisions/decisions.module';
import { SharedModule } from '../shared/shared.module';
import { EvidenceReader } from './evidence';
import { FlakyCostsReader } from './flaky-costs';
import { QueueChanges } from './queue-changes';
import { QueueHistoryReader } from './queue-history';
import { QueueListReader } from './queue-list';
import { QueuePictureReader } from './queue-picture';
import { QueuePicturesController } from './queue-pictures.controller';
import { QueueTotals } from './queue-totals';
import { StoriesController } from './stories.controller';
import { StoryReader } from './story';

const READERS = [
  FlakyCostsReader,
  QueueChanges,
  QueueHistoryReader,
  QueueListReader,
  QueuePictureReader,
  QueueTotals,
  StoryReader,
];

/** The views of queues for the API, the command line and the pages. */
@Module({
  imports: [DecisionsModule, SharedModule],
  controllers: [QueuePicturesController, StoriesController],
  providers: [EvidenceReader, ...READERS],
  exports: READERS,
})
export class ViewsModule {}
