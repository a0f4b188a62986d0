import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TEAM_TABS, type TeamTab } from '../visit';
import { findPages, type FoundPage } from './ui-page';

type ExpressInstance = Pick<NestExpressApplication, 'set'>;

/** The pages of extensions. */
@Injectable()
export class TeamPages implements OnApplicationBootstrap {
  private pages: ReadonlyMap<string, FoundPage> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly adapter: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const found = findPages(this.discovery);
    this.pages = new Map(found.map((one) => [one.path, one]));
    const tabs = found.map(({ path, tab, capability = 'read' }): TeamTab => ({ path, tab, capability }));
    // The tabs are an application setting, because every page draws them and a page has access to its request only.
    this.adapter.httpAdapter.getInstance<ExpressInstance>().set(TEAM_TABS, tabs);
  }

  at(path: string): FoundPage | undefined {
    return this.pages.get(path);
  }
}
