import { Module } from '@nestjs/common';
import { LookupNames } from './lookup-names';
import { QueueLocator } from './queue-locator';

@Module({ providers: [QueueLocator, LookupNames], exports: [QueueLocator] })
export class SharedModule {}
