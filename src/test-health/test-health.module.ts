import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { DescribedTests } from './lists/described-tests';
import { TestListsController } from './lists/test-lists.controller';
import { TestListsService } from './lists/test-lists.service';
import { UploadsModule } from './uploads/uploads.module';

@Module({
  imports: [SharedModule, UploadsModule],
  controllers: [TestListsController],
  providers: [DescribedTests, TestListsService],
})
export class TestHealthModule {}
