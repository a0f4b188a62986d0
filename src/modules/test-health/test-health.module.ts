import { Global, Module } from '@nestjs/common';
import { FailedTestsReader } from '../../domain/failed-tests.port';
import { SharedModule } from '../shared/shared.module';
import { TestDetailsController } from './http/details/test-details.controller';
import { TestDetailsService } from './http/details/test-details.service';
import { DescribedTests } from './http/lists/described-tests';
import { TestListsController } from './http/lists/test-lists.controller';
import { TestListsService } from './http/lists/test-lists.service';
import { TestMetricsController } from './http/metrics/test-metrics.controller';
import { TestMetricsService } from './http/metrics/test-metrics.service';
import { MovesController } from './http/moves/moves.controller';
import { MovesService } from './http/moves/moves.service';
import { MutesController } from './http/mutes/mutes.controller';
import { MutesService } from './http/mutes/mutes.service';
import { QuarantineController } from './http/quarantine/quarantine.controller';
import { QuarantineService } from './http/quarantine/quarantine.service';
import { TestSearchController } from './http/search/test-search.controller';
import { TestSearchService } from './http/search/test-search.service';
import { SettingsController } from './http/settings/settings.controller';
import { SettingsService } from './http/settings/settings.service';
import { HostQuestions } from './http/uploads/host-questions';
import { UploadClassifier } from './http/uploads/upload-classifier';
import { UploadPlaces } from './http/uploads/upload-places';
import { UploadsController } from './http/uploads/uploads.controller';
import { UploadsService } from './http/uploads/uploads.service';
import { DailyRollup } from './storage/days/daily-rollup';
import { EvaluationTicker } from './storage/evaluation/evaluation-ticker';
import { TestEvaluator } from './storage/evaluation/test-evaluator';
import { TestMover } from './storage/moves/test-mover';
import { KnownTests } from './storage/uploads/known-tests';
import { UploadedFailures } from './uploaded-failures';
import { UploadStore } from './storage/uploads/upload-store';

@Global()
@Module({
  imports: [SharedModule],
  controllers: [
    UploadsController,
    TestListsController,
    TestSearchController,
    TestDetailsController,
    TestMetricsController,
    MovesController,
    MutesController,
    QuarantineController,
    SettingsController,
  ],
  providers: [
    ...[
      UploadPlaces,
      HostQuestions,
      UploadClassifier,
      UploadsService,
      TestListsService,
      TestSearchService,
      TestDetailsService,
      TestMetricsService,
      MovesService,
      MutesService,
      QuarantineService,
      SettingsService,
    ],
    ...[DescribedTests, KnownTests, UploadStore, TestEvaluator, EvaluationTicker, TestMover, DailyRollup],
    { provide: FailedTestsReader, useClass: UploadedFailures },
  ],
  exports: [FailedTestsReader, QuarantineService, TestDetailsService, TestSearchService],
})
export class TestHealthModule {}
