import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { SharedModule } from '../shared/shared.module';
import { MetricsController } from './metrics.controller';
import { MetricsService } from './metrics.service';
import { ServiceMetrics } from './service-metrics';

@Module({
  imports: [ViewsModule, SharedModule],
  controllers: [MetricsController],
  providers: [MetricsService, ServiceMetrics],
})
export class MetricsModule {}
