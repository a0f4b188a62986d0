import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { MetricsController } from './metrics.controller';
import { MetricsService } from './metrics.service';

@Module({ imports: [SharedModule], controllers: [MetricsController], providers: [MetricsService] })
export class MetricsModule {}
