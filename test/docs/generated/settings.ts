import { QUEUE_SETTINGS, type QueueSettingName } from '../../../src/domain/queue-settings';
import { describeDefault, describeSetting, type QueueSetting } from '../../../src/domain/setting-kinds';
import { SETTING_TITLES } from '../../../src/ui/pages/settings/setting-titles';

const WITH_COMMENTS = 'GitHub, GitLab, Gitea and Forgejo';

/** Settings without an effect on some code hosts. Plain git has no comments, labels, status checks and forks. */
export const HOSTS_OF_SETTINGS: Partial<Record<QueueSettingName, string>> = {
  commentsEnabled: WITH_COMMENTS,
  commandsEnabled: WITH_COMMENTS,
  createPrsForTestingBranches: WITH_COMMENTS,
  statusCheckEnabled: WITH_COMMENTS,
  labelCommandsEnabled: WITH_COMMENTS,
  stateLabelsEnabled: WITH_COMMENTS,
  enqueueingLabel: WITH_COMMENTS,
  allowedBotSubmitters: WITH_COMMENTS,
  forkWorkflows: WITH_COMMENTS,
};

const BUILT_IN = {
  freezeWindows: QUEUE_SETTINGS.freezeWindows.example,
  batchingRules: [{ targetPattern: 'infrastructure/*', policy: 'isolate' }],
  allowedBotSubmitters: ['renovate'],
} as const;

export function settingsBlock(): string {
  return Object.entries<QueueSetting>(QUEUE_SETTINGS)
    .map(([name, setting]) => sectionOf(name as QueueSettingName, setting))
    .join('\n\n');
}

function sectionOf(name: QueueSettingName, setting: QueueSetting): string {
  return [
    `### ${name}`,
    `**${SETTING_TITLES[name]}.** ${describeSetting(setting)}`,
    [
      `- Values: ${valuesOf(setting)}`,
      `- ${describeDefault(setting).replace(/^Default: (.+?)\./, (_, value: string) => `Default: ${codeOf(setting, value)}.`)}`,
      `- Code hosts: ${HOSTS_OF_SETTINGS[name] ?? 'all'}.`,
      `- Example: \`${JSON.stringify({ [name]: exampleOf(name, setting) })}\``,
    ].join('\n'),
  ].join('\n\n');
}

/** "An empty list" is no value to copy. */
function codeOf(setting: QueueSetting, value: string): string {
  return Array.isArray(setting.default) ? value : `\`${value}\``;
}

function valuesOf(setting: QueueSetting): string {
  switch (setting.kind) {
    case 'integer':
      return `a whole number from ${setting.range.minimum} to ${setting.range.maximum}.`;
    case 'boolean':
      return '`true` or `false`.';
    case 'choice':
      return `${setting.choices.map((choice) => `\`${choice}\``).join(' or ')}.`;
    case 'text':
      return `text of at most ${setting.maxLength} characters.`;
    case 'names':
      return 'a list of names.';
    case 'batching rules':
      return 'a list of objects with `targetPattern` and `policy`, which is `isolate`.';
    case 'freeze windows':
      return 'a list of objects with `days`, `from`, `to`, `timeZone` and `exceptPriorityAtMost`.';
    case 'status reporters':
      return 'a list of objects with `name` and `reporter`.';
  }
}

function exampleOf(name: QueueSettingName, setting: QueueSetting): unknown {
  if (name in BUILT_IN) return BUILT_IN[name as keyof typeof BUILT_IN];
  if (setting.example !== undefined) return setting.example;
  if (setting.kind === 'boolean') return !setting.default;
  if (setting.kind === 'choice') return setting.choices.find((choice) => choice !== setting.default);
  return setting.default;
}
