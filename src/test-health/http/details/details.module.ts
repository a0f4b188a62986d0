import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { ListsModule } from '../lists/lists.module';
import { TestDetailsController } from './test-details.controller';
import { TestDetailsService } from './test-details.service';

@Module({
  imports: [SharedModule, ListsModule],
  controllers: [TestDetailsController],
  providers: [TestDetailsService],
})
export class DetailsModule {}
