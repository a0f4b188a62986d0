import type { ChatMessage } from './chat-message';

/**
 * The body for an incoming webhook of Slack. What others wrote stands in `plain_text`, where nothing is a mention, a link or markup.
 * The title stands in `text` as well, which is for notifications and knows markup: the three signs that begin some are escaped.
 */
export function slackBody({ title, text, place, page, mention }: ChatMessage): object {
  const links = [
    `<${escaped(page)}|${escaped(place).replaceAll('|', '¦')}>`,
    ...(mention === null ? [] : [`<@${mention}>`]),
  ].join(' · ');
  return {
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: title, emoji: false } },
      { type: 'section', text: { type: 'plain_text', text, emoji: false } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: links, verbatim: true }] },
    ],
  };
}

/** These three are all that Slack asks to escape. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
