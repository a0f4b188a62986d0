import { Module } from '@nestjs/common';
import { DaysUpkeep } from './daily-rollup';

@Module({ providers: [DaysUpkeep], exports: [DaysUpkeep] })
export class DaysModule {}
