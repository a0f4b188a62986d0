/** The header in which a program says that an agent uses it. It is not verified: permissions come from the token. */
export const CHANNEL_HEADER = 'x-sluice-channel';

const AGENT_CHANNEL = 'mcp';

/** The channel of an API request; undefined: any program. */
export function channelIn(header: string | undefined): typeof AGENT_CHANNEL | undefined {
  return header === AGENT_CHANNEL ? AGENT_CHANNEL : undefined;
}
