import { Module } from '@nestjs/common';
import { QueueLocator } from './queue-locator';

@Module({ providers: [QueueLocator], exports: [QueueLocator] })
export class SharedModule {}
