import type { DomainError } from '../../platform/errors/domain-error';
import { html, type Html, prose } from '../html';
import { page } from '../parts/shell';
import type { Visit } from '../visit';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible now',
  429: 'Too many requests',
  502: 'The code host does not answer',
  503: 'Not available now',
};

/** The page for a refusal or a fault. */
export function errorPage(visit: Visit, error: DomainError): Html {
  const title = TITLES[error.status] ?? (error.status < 500 ? 'Refused' : 'Something went wrong');
  const body = html`<div class="narrow">
    <div class="card pad" role="alert">
      <h1>${title}</h1>
      <p class="lede outside">${prose(error.message)}</p>
      ${error.details.map(({ field, message }) => html`<p><code>${field}</code> ${message}</p>`)}
      ${
        visit.caller !== null &&
        html`<p class="soft">
          Your token belongs to the organization <b>${visit.caller.organizationSlug}</b>. Resources of other
          organizations return 404.
        </p>`
      }
      <p><a class="button" href="/ui">All queues</a></p>
      <p class="soft">Request <code>${visit.requestId}</code>: give this id when you ask for help.</p>
    </div>
  </div>`;
  return page(visit, { title, body });
}
