import type { Route } from '../router';
import { APP_ROUTES } from './apps';
import { COMMENT_ROUTES } from './comments';
import { CONTENT_ROUTES } from './contents';
import { ISSUE_ROUTES } from './issues';
import { PULL_ROUTES } from './pulls';
import { REPOSITORY_ROUTES } from './repositories';
import { RESULT_ROUTES } from './results';
import { WORKFLOW_ROUTES } from './workflows';

export const ROUTES: readonly Route[] = [
  ...APP_ROUTES,
  ...REPOSITORY_ROUTES,
  ...PULL_ROUTES,
  ...WORKFLOW_ROUTES,
  ...RESULT_ROUTES,
  ...COMMENT_ROUTES,
  ...ISSUE_ROUTES,
  ...CONTENT_ROUTES,
];
