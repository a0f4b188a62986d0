import { Injectable } from '@nestjs/common';
import {
  ago,
  type Html,
  html,
  pullRequestPath,
  type QueuePage,
  stateMark,
  type StateName,
  UiPage,
  type UiPageVisit,
} from '@sluice-queue/sluice';
import { Journal } from './journal';

const MARKS: Readonly<Record<string, StateName>> = {
  not_ready: 'not_ready',
  pending: 'waiting',
  testing: 'testing',
  tests_passed: 'passed',
  pending_failure: 'suspect',
  merged: 'merged',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A tab next to Queue and Tests, at /ui/x/acme-journal. */
@Injectable()
@UiPage({ path: 'acme-journal', tab: 'Journal' })
export class JournalPage implements QueuePage {
  constructor(private readonly journal: Journal) {}

  async render({ repo, targetBranch, queueId, now }: UiPageVisit): Promise<Html> {
    const moves = await this.journal.latestOf(queueId);
    return html`<div class="head">
        <div>
          <h1>The latest moves</h1>
          <p class="lede">Kept by a module of the team Acme.</p>
        </div>
      </div>
      <section class="card" aria-label="Moves">
        ${moves.length === 0 && html`<p class="pad soft">Nothing moved yet.</p>`}
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Pull request</th>
              <th scope="col">Came into</th>
              <th class="num" scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            ${moves.map(
              ({ number, state, at }) =>
                html`<tr>
                  <td><a class="prn" href="${pullRequestPath(repo, targetBranch, number)}">#${number}</a></td>
                  <td>${stateMark(MARKS[state] ?? 'waiting')}</td>
                  <td class="num soft">${ago(at, now)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`;
  }
}
