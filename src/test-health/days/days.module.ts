import { Module } from '@nestjs/common';
import { DaysUpkeep } from './days-upkeep';

@Module({ providers: [DaysUpkeep], exports: [DaysUpkeep] })
export class DaysModule {}
