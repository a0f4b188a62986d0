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

  /**
   * Reads the facts about all entries at once. The returned function gives the message of an entry, or null if the
   * entry has not concluded.
   */
  async of(queue: QueueSnapshot, entries: readonly Entry[]): Promise<(entry: Entry) => string | null> {
    const { brand } = this.config;
    const historyOf = await this.facts.historiesOf(
      queue,
      entries.filter(({ state }) => isConcluded(state)),
    );
    return (entry) => stateMessage({ brand, queue, entry, ...historyOf(entry) });
  }
}
