import type { ChatMessage } from './chat-message';

const COLOURS = { good: 'good', bad: 'attention', neutral: 'default' } as const;

/**
 * The body for a workflow of Microsoft Teams: an adaptive card. Text by other people is in text runs, which have no
 * markdown. A mention works only in our own text, and only if the card names the person.
 */
export function teamsBody({ title, text, place, page, tone, mention }: ChatMessage): object {
  const run = (words: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: words, ...more }],
  });
  const called = mention === null ? [] : [{ type: 'TextBlock', text: `<at>${AUTHOR}</at>`, wrap: true }];
  const entity = { type: 'mention', text: `<at>${AUTHOR}</at>`, mentioned: { id: mention, name: AUTHOR } };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      run(withoutCalls(title), { weight: 'bolder', color: COLOURS[tone] }),
      run(withoutCalls(text)),
      run(place, { isSubtle: true, size: 'small' }),
      ...called,
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open the page', url: page }],
    msteams: { width: 'Full', ...(mention !== null && { entities: [entity] }) },
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}

/** The placeholder for the mentioned person in the card. */
const AUTHOR = 'author';

/** Breaks every `<at>` by an invisible character, because Teams reads `<at>` as a mention in every text of a card. */
function withoutCalls(text: string): string {
  return text.replace(/<(\/?at)/gi, '<\u200b$1');
}
