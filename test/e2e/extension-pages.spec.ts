import { Injectable, Module } from '@nestjs/common';
import { type Html, html, type QueuePage, UiPage, type UiPageVisit } from '../../src';
import { Service } from './service';
import { Visitor } from './visitor';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const QUEUE = 'repo=memory.example/acme/widgets&branch=main';
const EVIL = '<script>alert(1)</script>" onmouseover="alert(2)';

@Injectable()
@UiPage({ path: 'release-notes', tab: 'Releases', title: 'Release notes' })
class ReleaseNotes implements QueuePage {
  render({ caller, repo, targetBranch, question }: UiPageVisit): Html {
    return html`<h1>Releases of ${repo.name} ${targetBranch}</h1>
      <p title="${EVIL}">${EVIL} for ${caller.organizationSlug}, ${String(question.since)}</p>`;
  }
}

@Injectable()
@UiPage({ path: 'budget', tab: EVIL.slice(0, 20), capability: 'submit' })
class Budget implements QueuePage {
  render(): Html {
    return html`<h1>Budget</h1>`;
  }
}

@Injectable()
@UiPage({ path: 'careless', tab: 'Careless' })
class Careless implements QueuePage {
  render(): Html {
    return '<script>alert(3)</script>' as unknown as Html;
  }
}

@Module({ providers: [ReleaseNotes, Budget, Careless] })
class TeamModule {}

describe('A page of an extension', () => {
  let service: Service;
  let reader: Visitor;
  let submitter: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory({}, [TeamModule]);
    service.memory.repository('acme', 'widgets');
    for (const organization of ['acme', 'other']) await service.organization(organization);
    const admin = await service.client('acme', 'admin');
    await admin.post('createQueue', { repo: REPO, targetBranch: 'main', requiredStatuses: ['unit'] });
    reader = await visitor('acme', 'read');
    submitter = await visitor('acme', 'submit');
  });
  afterAll(() => service.stop());

  async function visitor(organization: string, role: 'read' | 'submit'): Promise<Visitor> {
    const one = new Visitor(service.url);
    await one.signIn((await service.client(organization, role)).token);
    return one;
  }

  it("appears in the layout of the service's pages, with a tab on every page of the queue", async () => {
    for (const path of ['/ui/queue', '/ui/history', '/ui/x/release-notes']) {
      const { text } = await reader.get(`${path}?${QUEUE}`);
      const [, tab] = /<nav class="tabs"[^]*href="(\/ui\/x\/release-notes\?[^"]*)"[^]*<\/nav>/.exec(text)!;
      expect(tab).toBe('/ui/x/release-notes?repo=memory.example%2Facme%2Fwidgets&amp;branch=main');
    }
    const { status, text, headers } = await reader.get(`/ui/x/release-notes?${QUEUE}&since=May`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('<title>Release notes of acme/widgets main · Sluice</title>');
    expect(text).toContain('<h1>Releases of widgets main</h1>');
    expect(text).toContain('for acme, May');
    expect(text.match(/aria-current="page"/g)).toHaveLength(1);
  });

  it('attack 13: has its content escaped as text', async () => {
    const { text } = await submitter.get(`/ui/x/release-notes?${QUEUE}`);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toMatch(/" onmouseover="/);
  });

  it('attack 13: is not sent if its markup was not made with the html function', async () => {
    const { status, text } = await reader.get(`/ui/x/careless?${QUEUE}`);
    expect(status).toBe(500);
    expect(text).not.toContain('alert(3)');
  });

  it('is shown only to people who may see the page and the repository', async () => {
    expect((await submitter.get(`/ui/x/budget?${QUEUE}`)).status).toBe(200);
    expect((await reader.get(`/ui/x/budget?${QUEUE}`)).status).toBe(404);
    expect((await reader.get(`/ui/queue?${QUEUE}`)).text).not.toContain('/ui/x/budget');
    expect((await submitter.get(`/ui/queue?${QUEUE}`)).text).toContain('/ui/x/budget');
    const stranger = await visitor('other', 'submit');
    expect((await stranger.get(`/ui/x/release-notes?${QUEUE}`)).status).toBe(404);
    const nobody = await new Visitor(service.url).get(`/ui/x/release-notes?${QUEUE}`);
    expect([nobody.status, nobody.to.startsWith('/ui/sign-in?to=')]).toEqual([303, true]);
  });

  it.each(['nothing', '__proto__', 'constructor'])('answers 404 for the path %s', async (path) => {
    expect((await reader.get(`/ui/x/${path}?${QUEUE}`)).status).toBe(404);
  });

  it('stops the start when another page has the same path, or when its path or tab is invalid', async () => {
    @Injectable()
    @UiPage({ path: 'budget', tab: 'Mine' })
    class OtherBudget extends Budget {}
    @Module({ providers: [Budget, OtherBudget] })
    class TwoBudgets {}
    await expect(Service.inMemory({}, [TwoBudgets])).rejects.toThrow('Two pages have the path budget');
    for (const path of ['', 'A', 'a/b', '../queue']) expect(() => UiPage({ path, tab: 'x' })).toThrow(TypeError);
    expect(() => UiPage({ path: 'x', tab: 'x'.repeat(21) })).toThrow(TypeError);
  });
});
