import { Injectable } from '@nestjs/common';
import { stateMessage } from '../../engine/messages/state-message';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { Config } from '../../platform/config/config';
import { ViewFactsReader } from './view-facts-reader';

/** Explains in records why a pull request concluded. */
@Injectable()
export class StateMessages {
  constructor(
    private readonly facts: ViewFactsReader,
    private readonly config: Config,
  ) {}

  /** One read for all entries; the function returns null for an entry that has not concluded. */
  async of(queue: QueueSnapshot, entries: readonly Entry[]): Promise<(entry: Entry) => string | null> {
    const { brand } = this.config;
    const historyOf = await this.facts.historiesOf(
      queue,
      entries.filter(({ state }) => isConcluded(state)),
    );
    return (entry) => stateMessage({ brand, queue, entry, ...historyOf(entry) });
  }
}
