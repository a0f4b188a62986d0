import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { MonitorsModule } from '../mutes/monitors.module';
import { SettingsController } from './settings.controller';
import { SettingsService } from './settings.service';

@Module({ imports: [SharedModule, MonitorsModule], controllers: [SettingsController], providers: [SettingsService] })
export class SettingsModule {}
