import type { ListedProcesses, ServiceProcessItem } from '../../../platform/health/processes.dto';
import { html, type Html } from '../../html';
import { moment } from '../../parts/times';

/** For administrators: the processes of the service. */
export function processesSection({ processes, differingSettings }: ListedProcesses, now: Date): Html {
  return html`<section class="card sect" aria-labelledby="processes">
    <h2 id="processes">Processes of the service</h2>
    ${
      differingSettings.length > 0 &&
      html`<div class="pad">
        <p class="attn">
          The processes have different values of ${differingSettings.join(', ')}. Give every process the same value, and
          restart it.
        </p>
      </div>`
    }
    <div class="scroll-x">
      <table class="list cards-on-phone">
        <thead>
          <tr>
            <th scope="col">Process</th>
            <th scope="col">Version</th>
            <th scope="col">Since</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          ${processes.map((process) => row(process, now))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function row({ id, version, startedAt, lastSeenAt, alive, machine, pid }: ServiceProcessItem, now: Date): Html {
  return html`<tr>
    <td class="title">${machine === null ? id : `${pid} on ${machine}`}</td>
    <td class="inline" data-l="version">${version}</td>
    <td class="inline" data-l="since">${moment(startedAt, now)}</td>
    <td class="inline" data-l="last seen">${alive ? 'now' : moment(lastSeenAt, now)}</td>
  </tr>`;
}
