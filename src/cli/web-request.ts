import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

type Send = (
  address: string,
  options: RequestOptions,
  onResponse?: (response: IncomingMessage) => void,
) => ClientRequest;

/**
 * The function of node:http or node:https that sends a request to this URL. Only `https:` URLs load TLS, because it
 * takes long to load.
 */
export function senderFor(address: string): Send {
  const { request } = /^https:/i.test(address)
    ? (require('node:https') as typeof import('node:https'))
    : (require('node:http') as typeof import('node:http'));
  return request;
}
