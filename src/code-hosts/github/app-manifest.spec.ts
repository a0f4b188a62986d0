import { appManifest, prefilledForm } from './app-manifest';
import { APP_EVENTS, APP_PERMISSIONS } from './app-permissions';

const OPTIONS = { publicUrl: 'https://sluice.acme.example', name: 'Sluice of Acme' };

describe('the manifest of the GitHub App', () => {
  it('requests all of APP_PERMISSIONS and APP_EVENTS, and names the webhook URL of the service', () => {
    const manifest = appManifest(OPTIONS);
    expect(manifest).toMatchObject({
      name: 'Sluice of Acme',
      public: false,
      hook_attributes: { url: 'https://sluice.acme.example/webhooks/github/github.com', active: true },
      default_events: APP_EVENTS.map(({ name }) => name),
    });
    expect(Object.keys(manifest.default_permissions as object)).toEqual(APP_PERMISSIONS.map(({ name }) => name));
  });

  it("subscribes to every event by GitHub's name", () => {
    const reviews = ['pull_request_review', 'pull_request_review_thread'];
    const events = ['check_run', 'issue_comment', 'pull_request', ...reviews, 'push', 'status'];
    expect(appManifest(OPTIONS)).toMatchObject({ default_events: events });
  });

  it('has the same permissions, events and webhook as the prefilled form', () => {
    const form = new URL(prefilledForm({ ...OPTIONS, organization: 'acme' }));
    expect(form.origin + form.pathname).toBe('https://github.com/organizations/acme/settings/apps/new');
    const { searchParams: query } = form;
    expect(query.getAll('events[]')).toEqual(APP_EVENTS.map(({ name }) => name));
    for (const { name, level } of APP_PERMISSIONS) expect(query.get(name)).toBe(level);
    expect(query.get('webhook_url')).toBe('https://sluice.acme.example/webhooks/github/github.com');
    expect([query.get('webhook_active'), query.get('public')]).toEqual(['true', 'false']);
  });

  it('has a prefilled form on the named Enterprise server, in the account of the user if no organization is named', () => {
    const form = prefilledForm({ ...OPTIONS, enterpriseUrl: 'https://github.acme.example' });
    expect(form).toMatch(/^https:\/\/github\.acme\.example\/settings\/apps\/new\?name=Sluice\+of\+Acme&/);
    const webhook = new URL(form).searchParams.get('webhook_url');
    expect(webhook).toBe('https://sluice.acme.example/webhooks/github/github.acme.example');
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://sluice.localhost'])(
    'has no webhook if GitHub cannot reach the service: %s',
    (publicUrl) => {
      expect(appManifest({ ...OPTIONS, publicUrl })).toMatchObject({ hook_attributes: { active: false } });
      const query = new URL(prefilledForm({ ...OPTIONS, publicUrl })).searchParams;
      expect([query.get('webhook_active'), query.get('webhook_url'), query.getAll('events[]')]).toEqual([
        'false',
        null,
        [],
      ]);
    },
  );
});
