import type { CertifyRow } from '../rows/row';
import { CI_STORIES } from './ci-stories';
import { CONVERSATION_STORIES } from './conversation-stories';
import { LANDING_STORIES } from './landing-stories';
import { REPOSITORY_STORIES } from './repository-stories';
import { RULE_STORIES } from './rule-stories';
import { STATUS_STORIES } from './status-stories';
import { WEBHOOK_STORIES } from './webhook-stories';

/** Actions of people and CI at a server, and the adapter's view of them. */
export const STORIES: readonly CertifyRow[] = [
  ...LANDING_STORIES,
  ...STATUS_STORIES,
  ...RULE_STORIES,
  ...CONVERSATION_STORIES,
  ...REPOSITORY_STORIES,
  ...CI_STORIES,
  ...WEBHOOK_STORIES,
];
