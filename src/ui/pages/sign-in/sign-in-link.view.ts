import type { Caller } from '../../../platform/requests/caller';
import { html, type Html } from '../../html';
import { icon } from '../../parts/icons';
import { page } from '../../parts/shell';
import type { Visit } from '../../visit';
import { personField } from './sign-in.view';

interface OpenedLink {
  readonly code: string;
  /** The caller as whom the link signs a person in. */
  readonly caller: Caller;
}

export function signInLinkPage(visit: Visit, { code, caller }: OpenedLink): Html {
  const form = html`<form class="card pad" method="post" action="/ui/sign-in-link">
    <h1>Sign in to ${caller.organizationSlug}</h1>
    <p class="soft">
      This link signs you in as the token <b>${caller.tokenName}</b>, with the role ${caller.role}. The link works once.
    </p>
    <input type="hidden" name="code" value="${code}" />
    ${personField('')}
    <button class="main">Sign in</button>
  </form>`;
  return page(visit, { title: 'Sign in', body: html`<div class="narrow slim">${form}</div>` });
}

/** `problem`: the reason why the link signs nobody in. */
export function spentLinkPage(visit: Visit, problem: string): Html {
  const body = html`<div class="narrow slim">
    <div class="card pad">
      <h1>Sign in</h1>
      <p class="soft">A link signs one browser in, within 10 minutes.</p>
      <div class="note bad" role="alert">
        ${icon('cross', 'st-failed')}
        <div>
          <p><b>${problem}</b></p>
        </div>
      </div>
      <p class="soft">Create another link on the service machine, or <a href="/ui/sign-in">sign in with a token</a>:</p>
      <div class="cmd"><code>sluice sign-in-link --org acme</code><button type="button" data-copy>Copy</button></div>
    </div>
  </div>`;
  return page(visit, { title: 'Sign in', body });
}
