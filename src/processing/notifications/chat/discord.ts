import type { ChatMessage } from './chat-message';
import { withoutMarkdown } from './without-markdown';

const COLOURS = { good: 0x2e7d32, bad: 0xc62828, neutral: 0x616161 } as const;
/** The longest title at Discord, in characters. */
const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 4_096;

/**
 * The body for a webhook of Discord. `allowed_mentions` permits a mention of the author only, whatever the texts
 * contain.
 */
export function discordBody({ title, text, place, page, tone, mention }: ChatMessage): object {
  const embed = {
    title: withoutMarkdown(title).slice(0, LONGEST_TITLE),
    url: page,
    description: withoutMarkdown(text).slice(0, LONGEST_DESCRIPTION),
    color: COLOURS[tone],
    footer: { text: place },
  };
  return {
    ...(mention !== null && { content: `<@${mention}>` }),
    embeds: [embed],
    allowed_mentions: { parse: [], users: mention === null ? [] : [mention] },
  };
}
