import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundScheduler } from './background-scheduler';
import { Retention } from './retention';

@Module({ imports: [DiscoveryModule], providers: [BackgroundScheduler, Retention] })
export class BackgroundModule {}
