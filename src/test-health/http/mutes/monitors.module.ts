import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { MonitorTicker } from '../../storage/evaluation/monitor-ticker';
import { MonitorsService } from '../../storage/evaluation/test-evaluator';
import { MutesController } from './mutes.controller';
import { MutesService } from './mutes.service';

@Module({
  imports: [SharedModule],
  controllers: [MutesController],
  providers: [MonitorsService, MonitorTicker, MutesService],
  exports: [MonitorsService, MonitorTicker],
})
export class MonitorsModule {}
