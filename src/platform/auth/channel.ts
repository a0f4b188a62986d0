/** How a program says that an agent uses it. It proves nothing: what is done is done by the token. */
export const CHANNEL_HEADER = 'x-sluice-channel';

const AGENT_CHANNEL = 'mcp';

/** Of a request over the interface; undefined: any program. */
export function channelIn(header: string | undefined): typeof AGENT_CHANNEL | undefined {
  return header === AGENT_CHANNEL ? AGENT_CHANNEL : undefined;
}
