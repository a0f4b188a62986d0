import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { DescribedTests } from './described-tests';
import { TestListsController } from './test-lists.controller';
import { TestListsService } from './test-lists.service';

@Module({
  imports: [SharedModule],
  controllers: [TestListsController],
  providers: [DescribedTests, TestListsService],
  exports: [DescribedTests],
})
export class ListsModule {}
