import { attributes, html, type Html } from '../../html';
import { icon } from '../../parts/icons';
import { page } from '../../parts/shell';
import type { Visit } from '../../visit';

interface SignInForm {
  /** The path after signing in. */
  readonly to: string;
  readonly personName: string;
  /** The reason why the last attempt failed; null: no attempt failed. */
  readonly problem: string | null;
}

export function signInPage(visit: Visit, form: SignInForm): Html {
  const body = html`<div class="narrow slim">${signInForm(form)} ${howToGetToken()}</div>`;
  return page(visit, { title: 'Sign in', body });
}

function signInForm({ to, personName, problem }: SignInForm): Html {
  return html`<form class="card pad" method="post" action="/ui/sign-in">
    <h1>Sign in</h1>
    <p class="soft">
      With an API token of your organization. The browser sends the token once, and keeps a cookie that scripts cannot
      read.
    </p>
    ${
      problem !== null &&
      html`<div class="note bad" role="alert" id="wrong">
        ${icon('cross', 'st-failed')}
        <div>
          <p><b>${problem}</b></p>
          <p class="soft">Tokens begin with <code>slc_</code>. Expired, revoked and rotated tokens are refused.</p>
        </div>
      </div>`
    }
    <input type="hidden" name="to" value="${to}" />
    <div class="field">
      <label for="token">API token</label
      ><input
        id="token"
        name="token"
        type="password"
        autocomplete="current-password"
        required
        spellcheck="false"
        placeholder="slc_…"
        ${attributes({ 'aria-describedby': problem !== null && 'wrong', 'aria-invalid': problem !== null && 'true' })}
      />
    </div>
    ${personField(personName)}
    <button class="main">Sign in</button>
  </form>`;
}

/** The login of a person at code hosts. The forms for a token and for a sign-in link both have this field. */
export function personField(personName: string): Html {
  return html`<div class="field">
    <label for="person">Your name on pull requests <span class="hint">optional, marks your pull requests</span></label
    ><input
      id="person"
      name="person"
      autocomplete="username"
      spellcheck="false"
      maxlength="100"
      placeholder="ada"
      value="${personName}"
    />
  </div>`;
}

function howToGetToken(): Html {
  return html`<div class="pad">
    <p class="soft">No token? The operator of this service creates one:</p>
    <div class="cmd">
      <code>sluice token create --org acme --name ada --role submit</code><button type="button" data-copy>Copy</button>
    </div>
    <p class="soft">
      <code>read</code> may look, <code>submit</code> may also submit and cancel, <code>admin</code> may change
      settings.
    </p>
  </div>`;
}
