import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MetricsModule } from './metrics/metrics.module';
import type { Config } from './platform/config/config';
import { PlatformModule } from './platform/platform.module';
import { TestHealthModule } from './test-health/test-health.module';

/** The composition root: every module of the product, and nothing else, is listed here. */
const MODULES: readonly (Type | DynamicModule)[] = [MetricsModule, TestHealthModule];

@Module({})
export class AppModule {
  static with(config: Config, extensions: readonly Type[] = []): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.with(config), ...MODULES, ...extensions] };
  }
}
