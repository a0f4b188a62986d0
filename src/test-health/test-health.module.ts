import { Module } from '@nestjs/common';
import { DaysModule } from './days/days.module';
import { DetailsModule } from './details/details.module';
import { ListsModule } from './lists/lists.module';
import { MonitorsModule } from './monitors/monitors.module';
import { QuarantineModule } from './quarantine/quarantine.module';
import { SettingsModule } from './settings/settings.module';
import { UploadsModule } from './uploads/uploads.module';

@Module({
  imports: [UploadsModule, DaysModule, ListsModule, DetailsModule, MonitorsModule, QuarantineModule, SettingsModule],
})
export class TestHealthModule {}
