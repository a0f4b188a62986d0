import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { DescribedTests } from './lists/described-tests';
import { TestListsController } from './lists/test-lists.controller';
import { TestListsService } from './lists/test-lists.service';
import { MonitorsModule } from './monitors/monitors.module';
import { QuarantineModule } from './quarantine/quarantine.module';
import { SettingsModule } from './settings/settings.module';
import { UploadsModule } from './uploads/uploads.module';

@Module({
  imports: [SharedModule, MonitorsModule, QuarantineModule, SettingsModule, UploadsModule],
  controllers: [TestListsController],
  providers: [DescribedTests, TestListsService],
})
export class TestHealthModule {}
