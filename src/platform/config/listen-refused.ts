import { type Config, ConfigError } from './config';

/** ConfigError when a setting is the reason why the service cannot listen, otherwise the error itself. */
export function explainListenError(error: unknown, { port, listen }: Pick<Config, 'port' | 'listen'>): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new ConfigError(`PORT is ${port}, but another process listens there already.`);
  if (code === 'EACCES') {
    return new ConfigError(
      `PORT is ${port}, but this user may not listen on it.\nSet PORT to 1024 or higher, behind a proxy that listens on ${port}, or give the service the capability CAP_NET_BIND_SERVICE.`,
    );
  }
  if (code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND') return error;
  return new ConfigError(`SLUICE_LISTEN is ${listen}, but this machine has no such address.`);
}
