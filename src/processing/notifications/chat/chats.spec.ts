import type { WebhookEventFacts } from '../webhook-event';
import { chatMessageOf } from './chat-message';
import { discordBody } from './discord';
import { gatheredMessage } from './gathered-message';
import { mattermostBody } from './mattermost';
import { slackBody } from './slack';
import { teamsBody } from './teams';

const PAGE = 'https://sluice.example/ui/pull-request?repo=local%2Facme%2Fshop&branch=main&number=7';

function factsWith(more: Partial<WebhookEventFacts> = {}): WebhookEventFacts {
  return {
    ...{ organization: 'acme', repo: { host: 'local', owner: 'acme', name: 'shop' }, targetBranch: 'main', test: null },
    pullRequest: { number: 7, title: 'Mend the gate', author: 'Mira', head: 'a'.repeat(40), attempt: 1, url: null },
    ...{ state: 'failed', from: 'testing', reason: null, actor: null },
    message: 'Failed: a required status failed: "lint". Push a fix, then submit it again.',
    ...more,
  };
}

const messageOf = (more: Partial<WebhookEventFacts> = {}, people: Record<string, string> = {}) =>
  chatMessageOf('sent_back', factsWith(more), PAGE, people);

const hostile = (words: string) =>
  messageOf({ message: words, pullRequest: { ...factsWith().pullRequest!, title: words } });

/** One message about two events, of tests with this name. */
function hostileGathered(words: string) {
  const named = (id: string, state: string) =>
    factsWith({ pullRequest: null, state, test: { id, name: words, file: words, codeowners: [words] } });
  return gatheredMessage([named('1', 'broken'), named('2', 'flaky')], PAGE);
}

/** Every text in a body, at any depth. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body];
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : [];
}

describe('A message in a chat', () => {
  it('says the state, then the cause and the fix, and names the queue', () => {
    expect(messageOf()).toEqual({
      ...{ title: 'Failed: #7 Mend the gate', place: 'acme/shop main', page: PAGE, tone: 'bad', mention: null },
      text: 'Failed: a required status failed: "lint". Push a fix, then submit it again.',
    });
  });

  it('mentions the author of a failed pull request if the author is known, and nobody otherwise', () => {
    expect(messageOf({}, { mira: 'U024BE7LH' }).mention).toBe('U024BE7LH');
    expect(messageOf({}, { noa: 'U024BE7LH' }).mention).toBeNull();
    expect(chatMessageOf('merged', factsWith(), PAGE, { mira: 'U024BE7LH' }).mention).toBeNull();
  });

  it('in Slack has two plain texts and one formatted line of the service', () => {
    expect(slackBody(messageOf({}, { mira: 'U024BE7LH' }))).toEqual({
      text: 'Failed: #7 Mend the gate',
      ...{ unfurl_links: false, unfurl_media: false },
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'Failed: #7 Mend the gate', emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: messageOf().text, emoji: false } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: `<${PAGE.replaceAll('&', '&amp;')}|acme/shop main> · <@U024BE7LH>`,
              verbatim: true,
            },
          ],
        },
      ],
    });
  });

  it('is an adaptive card in Teams, which names the mentioned person', () => {
    const body = teamsBody(messageOf({}, { mira: 'mira@acme.example' })) as {
      attachments: {
        contentType: string;
        content: { type: string; body: object[]; msteams: { entities: object[] } };
      }[];
    };
    const [attachment] = body.attachments;
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(attachment?.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(attachment?.content.body.at(-1)).toMatchObject({ text: '<at>author</at>' });
    expect(attachment?.content.msteams.entities).toEqual([
      { type: 'mention', text: '<at>author</at>', mentioned: { id: 'mira@acme.example', name: 'author' } },
    ]);
  });

  it('mentions nobody but the author in Discord', () => {
    expect(discordBody(messageOf({}, { mira: '80351110224678912' }))).toMatchObject({
      content: '<@80351110224678912>',
      allowed_mentions: { parse: [], users: ['80351110224678912'] },
    });
    expect(discordBody(messageOf())).toMatchObject({ allowed_mentions: { parse: [], users: [] } });
  });

  it('mentions the author by name in Mattermost', () => {
    expect(mattermostBody(messageOf({}, { mira: 'mira' }))).toMatchObject({ text: '@mira' });
  });

  const HOSTILE = [
    '<!here> <!channel> <@U024BE7LH> <https://evil.example|safe>',
    '@channel @here @all @everyone <@80351110224678912> <at>author</at> </AT>',
    '[safe](https://evil.example) ![x](https://evil.example/x.png) **bold** `code` ||spoiler||',
    'https://evil.example www.evil.example mailto:a@evil.example',
  ];

  it.each([
    ...HOSTILE.map((words) => ['one event', words, hostile(words)] as const),
    ...HOSTILE.map((words) => ['several', words, hostileGathered(words)] as const),
  ])('attack 14: of %s shows foreign text as plain text, without links, mentions or markup: %s', (...told) => {
    const [, words, message] = told;
    expect(`${message.title} ${message.text}`).toContain(words);
    const slack = textsIn(slackBody(message));
    // In Slack, a `plain_text` has no markup, so it need not be escaped; every other text must be.
    const marked = slack.filter((text) => text !== message.title && text !== message.text);
    expect(marked.filter((text) => /<(?!https:\/\/sluice\.example)/.test(text))).toEqual([]);
    for (const body of [mattermostBody(message), discordBody(message)]) {
      const shown = textsIn(body).filter((text) => text !== PAGE);
      expect(shown.filter((text) => /@[a-z0-9!]/i.test(text))).toEqual([]);
      expect(shown.filter((text) => /(?<!\\)[`*_[\]<>|!]/.test(text))).toEqual([]);
      expect(shown.filter((text) => /(?:https?|mailto):|www\./i.test(text))).toEqual([]);
    }
    const teams = textsIn(teamsBody(message));
    expect(teams.filter((text) => /<\/?at/i.test(text))).toEqual([]);
  });

  it('attack 14: has no line break or direction character in its title, and lengths that every chat accepts', () => {
    const { title, text } = hostile(`\u202eevil\n\n${'long '.repeat(2_000)}`);
    expect(title).not.toMatch(/[\n\u202e]/);
    expect([...title].length).toBeLessThanOrEqual(200);
    expect([...text].length).toBeLessThanOrEqual(1_500);
  });
});
