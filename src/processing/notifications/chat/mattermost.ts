import type { ChatMessage } from './chat-message';
import { withoutMarkdown } from './without-markdown';

const COLOURS = { good: '#2e7d32', bad: '#c62828', neutral: '#616161' } as const;

/** The body for an incoming webhook of Mattermost. `@` and the name mention a person. */
export function mattermostBody({ title, text, place, page, tone, mention }: ChatMessage): object {
  const attachment = {
    fallback: withoutMarkdown(title),
    color: COLOURS[tone],
    title: withoutMarkdown(title),
    title_link: page,
    text: withoutMarkdown(text),
    footer: place,
  };
  return { text: mention === null ? '' : `@${mention.replace(/^@/, '')}`, attachments: [attachment] };
}
