import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundScheduler } from './background-scheduler';

@Module({ imports: [DiscoveryModule], providers: [BackgroundScheduler] })
export class BackgroundModule {}
