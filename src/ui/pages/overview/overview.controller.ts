import { Get } from '@nestjs/common';
import type { Html } from '../../html';
import { html } from '../../html';
import { PageController } from '../../page-controller';
import { page } from '../../parts/shell';
import { CurrentVisit, type Visit } from '../../visit';

@PageController()
export class OverviewController {
  @Get()
  show(@CurrentVisit() visit: Visit): Html {
    return page(visit, { title: 'All queues', body: html`<h1>All queues</h1>` });
  }
}
