import type { ChatMessage } from './chat-message';

/**
 * The body for an incoming webhook of Slack. Text by other people is `plain_text`, which has no mentions, links or
 * markup. The title is also in `text`, which Slack uses for notifications. `text` has markup, so the three characters
 * that begin markup are escaped.
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

/** Escapes exactly the three characters that Slack asks to escape. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
