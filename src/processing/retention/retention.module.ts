import { Module } from '@nestjs/common';
import { Retention } from './retention';

@Module({ providers: [Retention] })
export class RetentionModule {}
