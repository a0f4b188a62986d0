import { Module } from '@nestjs/common';
import { DaysModule } from './storage/days/days.module';
import { DetailsModule } from './http/details/details.module';
import { ListsModule } from './http/lists/lists.module';
import { MonitorsModule } from './http/mutes/monitors.module';
import { QuarantineModule } from './http/quarantine/quarantine.module';
import { SettingsModule } from './http/settings/settings.module';
import { UploadsModule } from './http/uploads/uploads.module';

@Module({
  imports: [UploadsModule, DaysModule, ListsModule, DetailsModule, MonitorsModule, QuarantineModule, SettingsModule],
})
export class TestHealthModule {}
