/** A setting for the new configuration file. */
export interface TemplateSetting {
  readonly key: string;
  readonly comment: readonly string[];
  /** The lines that show the form of the setting, without a comment sign. */
  readonly example: readonly string[];
}

const HEAD = [
  '# Settings of Sluice. The service, sluice doctor and the other commands read this file in their working directory,',
  '# or the file that SLUICE_CONFIG names. A variable of the environment replaces its key: PORT replaces port.',
  '# docs/configuration.md lists every setting. An unknown key stops the start.',
];

export const TEMPLATE: readonly TemplateSetting[] = [
  { key: 'port', comment: ['Port of the service. 0: any free port.'], example: ['port: 3000'] },
  {
    key: 'listen',
    comment: ['Address to listen on. 127.0.0.1: this machine only. 0.0.0.0: every network of this machine.'],
    example: ['listen: 127.0.0.1'],
  },
  {
    key: 'publicUrl',
    comment: ['URL at which people and code hosts reach the service. Links begin with this URL.'],
    example: ['publicUrl: https://sluice.example'],
  },
  {
    key: 'dataDir',
    comment: ['Folder of the embedded database, of working clones and of repositories of the host local.'],
    example: ['dataDir: .sluice'],
  },
  {
    key: 'databaseUrl',
    comment: [
      'PostgreSQL 15 or newer. Without a URL, an embedded PostgreSQL runs in dataDir.',
      'databaseUrlFile names a file with the URL, which keeps the password out of this file.',
    ],
    example: ['databaseUrl: postgresql://sluice@db.example/sluice'],
  },
  { key: 'databaseUrlFile', comment: [], example: ['databaseUrlFile: /etc/sluice/database-url'] },
  {
    key: 'hosts',
    comment: [
      'Code hosts, or the path of a JSON file with them. Without this setting there is one code host: local, plain git below dataDir.',
      'The pages docs/github.md, docs/gitea.md and docs/gitlab.md list the settings of each kind.',
    ],
    example: [
      'hosts:',
      '  - host: github.com',
      '    kind: github',
      '    appId: 12345',
      '    privateKeyFile: /etc/sluice/github-app.pem',
      '    webhookSecretFile: /etc/sluice/webhook-secret',
      '  - host: gitlab.com',
      '    kind: gitlab',
      '    tokenFile: /etc/sluice/gitlab-token',
    ],
  },
  {
    key: 'checkRunner',
    comment: [
      'Check runner: runs the commands of .sluice/sluice.yaml, which pull requests may change.',
      'One of off, on, unconfined.',
    ],
    example: ['checkRunner: off'],
  },
  {
    key: 'logLevel',
    comment: ['One of fatal, error, warn, info, debug, trace, silent.'],
    example: ['logLevel: info'],
  },
  {
    key: 'url',
    comment: [
      'For commands, when the service runs on another machine: its URL, and a file with an API token.',
      'These two settings count only if SLUICE_CONFIG names this file: a cloned repository must not decide where a token is sent.',
    ],
    example: ['url: https://sluice.example'],
  },
  { key: 'tokenFile', comment: [], example: ['tokenFile: /etc/sluice/token'] },
];

/** The text of a new configuration file. A setting without a value becomes a comment that shows its form. */
export function configText(values: Readonly<Record<string, string | number>>): string {
  const blocks = TEMPLATE.map(({ key, comment, example }) => {
    const value = values[key];
    const setting = value === undefined ? example.map((line) => `# ${line}`) : [`${key}: ${JSON.stringify(value)}`];
    return [...(comment.length === 0 ? [] : ['']), ...comment.map((line) => `# ${line}`), ...setting];
  });
  return `${[HEAD, ...blocks].flat().join('\n')}\n`;
}
