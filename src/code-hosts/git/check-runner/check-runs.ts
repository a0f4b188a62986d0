import { Injectable } from '@nestjs/common';
import type { PushOrder } from '../../code-host.port';
import type { GitClone } from '../git-clone';

@Injectable()
export class CheckRuns {
  prepare(_clone: GitClone, _order: PushOrder): Promise<void> {
    return Promise.resolve();
  }

  cancel(_testRunId: string): Promise<void> {
    return Promise.resolve();
  }
}
