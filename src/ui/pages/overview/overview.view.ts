import type { ListedQueues, ListQueuesRequest, QueueSummary } from '../../../modules/views/queue-summary.dto';
import type { ListedProcesses } from '../../../platform/health/processes.dto';
import type { RefusedForm } from '../../form';
import { attributes, type Content, html, type Html, prose } from '../../html';
import { versionOfAll } from '../../live/versions';
import { command, countText } from '../../parts/basics';
import { etaText, shortEta } from '../../parts/etas';
import { icon } from '../../parts/icons';
import { pathTo, queuePath, repositoryText } from '../../parts/links';
import { type LivePage, page } from '../../parts/shell';
import { stateMark } from '../../parts/states';
import { ago, roughly } from '../../parts/times';
import type { Visit } from '../../visit';
import { hours } from './hours';
import { newQueue } from './new-queue';
import { processesSection } from './processes.view';
import { slots } from './slots';

/** Many queues decide often, so the page updates immediately after a change, and then waits for this time. */
const REST_SECONDS = 5;

interface ShownQueues {
  readonly listed: ListedQueues;
  /** Null: the token may not see the processes. */
  readonly processes: ListedProcesses | null;
  /** The API request whose answer the page shows. */
  readonly question: ListQueuesRequest;
  /** Null: no form was refused. */
  readonly refused: RefusedForm | null;
  readonly done: Html | null;
  readonly now: Date;
}

/** Every queue that the token may see, one per row. */
export function overviewPage(visit: Visit, shown: ShownQueues): Html {
  const { listed, refused, done, now } = shown;
  const { nextCursor } = listed;
  const queues = [...listed.queues].sort((a, b) => Number(b.attention !== null) - Number(a.attention !== null));
  const organization = visit.caller?.organizationSlug ?? '';
  const create = newQueue(visit, refused);
  const { search, cursor } = shown.question;
  const hasNone = queues.length === 0 && search === undefined && cursor === undefined;
  const body = hasNone
    ? html`${done} ${firstSteps(create)}`
    : html`${head(queues, create)} ${done} ${searched(search, queues.length)} ${queues.length > 0 && table(queues, now)}
      ${nextLink(nextCursor, search)} ${shown.processes && processesSection(shown.processes, now)}`;
  const find = { action: '/ui', hidden: {}, text: 'Find a queue', ...(search !== undefined && { value: search }) };
  const crumbs = [{ text: organization, href: '/ui' }];
  const live = refused === null ? { live: liveAs(shown) } : {};
  return page(visit, {
    title: hasNone ? 'First steps' : 'All queues',
    crumbs,
    body,
    ...(!hasNone && { find }),
    ...live,
  });
}

function searched(search: string | undefined, count: number): Html | null {
  if (search === undefined) return null;
  const answer = count === 0 ? 'No queue matches' : 'Only queues that match';
  return html`<div class="note">${answer} “${search}”. <a href="/ui">Show all queues</a></div>`;
}

/** The live settings of the page. If the page does not show all queues, it cannot state a version for all of them. */
function liveAs({ listed: { queues, nextCursor }, question: { repo, search, cursor } }: ShownQueues): LivePage {
  const isAll = nextCursor === undefined && cursor === undefined && search === undefined;
  return {
    href: pathTo('/ui/live', repo === undefined ? {} : { repo: repositoryText(repo) }),
    version: isAll ? versionOfAll(queues) : null,
    restSeconds: REST_SECONDS,
  };
}

function head(queues: readonly QueueSummary[], create: Html | null): Html {
  const sum = (of: (queue: QueueSummary) => number) => queues.reduce((total, queue) => total + of(queue), 0);
  const attention = queues.filter((queue) => queue.attention !== null).length;
  const look = attention === 0 ? '' : `, ${attention} ${attention === 1 ? 'needs' : 'need'} a look`;
  const mine = queues.filter((queue) => (queue.ofAuthorCount ?? 0) > 0);
  const inQueues = `${countText(
    sum((queue) => queue.ofAuthorCount ?? 0),
    'pull request',
  )} in ${countText(mine.length, 'queue')}`;
  return html`<div class="head">
    <div>
      <h1>${countText(queues.length, 'queue')}${look}</h1>
      <p class="lede">
        <b>${sum((queue) => queue.mergedCount)} landed</b> and ${sum((queue) => queue.failedCount)} failed in 24 hours.
        ${countText(
          sum((queue) => queue.inHandCount),
          'pull request',
        )}
        in test, ${sum((queue) => queue.waitingCount)} waiting. ${mine.length > 0 && `Yours: ${inQueues}.`}
      </p>
    </div>
    <div class="acts">${create}</div>
  </div>`;
}

function table(queues: readonly QueueSummary[], now: Date): Html {
  return html`<section class="card" aria-label="Queues" data-steady>
    <div class="scroll-x">
      <table class="list queues cards-on-phone">
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">State</th>
            <th scope="col">Test runs</th>
            <th class="num" scope="col">Waiting</th>
            <th class="num o-mid" scope="col">Oldest</th>
            <th class="num" scope="col">Forecast if submitted now</th>
            <th class="num o-mid" scope="col">Usual time</th>
            <th class="num" scope="col">Merged, 24 h</th>
            <th class="num" scope="col">Failed, 24 h</th>
            <th class="o-mid" scope="col">By hour</th>
            <th class="num o-mid" scope="col">Last merge</th>
          </tr>
        </thead>
        <tbody>
          ${queues.map((queue) => row(queue, now))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function row(queue: QueueSummary, now: Date): Html {
  const { repo, targetBranch, attention, waitingCount, notReadyCount, oldestSubmittedAt, lastLandedAt } = queue;
  const { waitedP50Ms, ofAuthorCount } = queue;
  const name = `${repo.owner}/${repo.name}`;
  const answer = `${name} ${targetBranch}: ${waitingCount} waiting. A pull request submitted now: ${etaText(queue.etaOfNew)}`;
  const announcement = attention === null ? null : `${name} ${targetBranch} needs attention.`;
  return html`<tr
    data-row
    data-part="${repositoryText(repo)} ${targetBranch}"
    tabindex="-1"
    ${attributes({ 'data-announced': announcement })}
    data-find="${name} ${targetBranch}"
    data-answer="${answer}"
  >
    <td class="title outside">
      <a class="prn" href="${queuePath(repo, targetBranch)}">${name}</a> <span class="sha soft">${targetBranch}</span>
      ${ofAuthorCount !== null && ofAuthorCount > 0 && html`<span class="mine-tag">${ofAuthorCount} yours</span>`}
      ${attention !== null && html`<br /><span class="attn">${icon('warn', 'st-suspect')} ${prose(attention)}</span>`}
    </td>
    <td class="inline">${stateOf(queue, now)}</td>
    <td class="inline">${slots(queue)}</td>
    <td class="num inline" data-l="waiting">
      ${waitingCount}${notReadyCount > 0 && html` <span class="soft">+ ${notReadyCount} not ready</span>`}
    </td>
    <td class="num soft o-mid" data-l="oldest">
      ${oldestSubmittedAt !== null && roughly(now.getTime() - Date.parse(oldestSubmittedAt))}
    </td>
    <td class="num inline" data-l="submit now, merges">
      ${queue.state === 'running' ? shortEta(queue.etaOfNew, now) : '–'}
    </td>
    <td class="num o-mid" data-l="usual time">${waitedP50Ms === null ? '–' : roughly(waitedP50Ms)}</td>
    <td class="num inline" data-l="merged">${queue.mergedCount}</td>
    <td class="num inline" data-l="failed">
      ${queue.failedCount > 0 ? html`<span class="st-failed">${queue.failedCount}</span>` : 0}
    </td>
    <td class="o-mid">${hours(queue)}</td>
    <td class="num soft o-mid">${lastLandedAt === null ? 'never' : ago(lastLandedAt, now)}</td>
  </tr>`;
}

function stateOf({ state, since, by, reason, attention }: QueueSummary, now: Date): Content {
  const mark = stateMark(
    state === 'switching_modes' ? 'draining' : state,
    state === 'switching_modes' ? 'Switching' : undefined,
  );
  if (state === 'running') return mark;
  return html`${mark}<br /><span class="soft outside"
      >${since !== null && ago(since, now)}${by !== null && ` by ${by}`}${reason !== null && attention === null && `: ${reason}`}</span
    >`;
}

function nextLink(cursor: string | undefined, search: string | undefined): Html | null {
  if (cursor === undefined) return null;
  return html`<nav class="more" aria-label="Pages">
    <span></span
    ><a class="button" rel="next" href="${pathTo('/ui', { ...(search !== undefined && { q: search }), cursor })}"
      >Next</a
    >
  </nav>`;
}

function firstSteps(create: Html | null): Html {
  return html`<div class="narrow">
    <div class="card pad">
      <h1>No queue yet</h1>
      <p class="soft">
        A queue guards one branch. It tests every pull request together with those ahead of it, and moves the branch
        only to trees that passed. Three commands merge the first pull request:
      </p>
      <ol class="steps">
        <li>
          <div>
            <h2>Create a queue for a branch</h2>
            ${command('sluice queue create github.com/acme/shop --branch main')}
            <div class="acts">${create}</div>
          </div>
        </li>
        <li>
          <div>
            <h2>Set the required statuses</h2>
            ${command("printf 'merge: { required_statuses: [test] }\\n' > .sluice/sluice.yaml")}
            <p class="soft">Any CI can report them; this service runs no tests itself.</p>
          </div>
        </li>
        <li>
          <div>
            <h2>Submit a pull request</h2>
            ${command('sluice pr submit github.com/acme/shop 7')}
          </div>
        </li>
      </ol>
    </div>
  </div>`;
}
