import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../code-hosts/code-hosts.module';
import { ProcessingModule } from '../processing/processing.module';
import { SharedModule } from '../shared/shared.module';
import { QueueCreationService } from './queue-creation.service';
import { QueuesController } from './queues.controller';
import { QueuesService } from './queues.service';

@Module({
  imports: [CodeHostsModule, ProcessingModule, SharedModule],
  controllers: [QueuesController],
  providers: [QueuesService, QueueCreationService],
})
export class QueuesModule {}
