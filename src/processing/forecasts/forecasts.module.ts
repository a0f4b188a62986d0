import { Global, Module } from '@nestjs/common';
import { DecisionsModule } from '../decisions/decisions.module';
import { ForecastKeeper } from './forecast-keeper';
import { ForecastReader } from './forecast-reader';

@Global()
@Module({
  imports: [DecisionsModule],
  providers: [ForecastKeeper, ForecastReader],
  exports: [ForecastReader],
})
export class ForecastsModule {}
