import { type Finding, hostDoesNotAnswer, ok, problem, unknown } from '../../../domain/host-examination';
import { APP_EVENTS, APP_PERMISSIONS, type AppPermission } from '../app-permissions';
import type { AppFacts, InstallationFacts, Permissions, RateFacts, Read } from './facts';

/**
 * The largest lead of the service's clock that GitHub accepts, because the app's token is issued half a minute back,
 * for nine minutes.
 */
const MOST_AHEAD_SECONDS = 30;
const MOST_BEHIND_SECONDS = 8 * 60;
const MS = 1000;
const LITTLE_LEFT = 0.1;

export function checkApp(host: string, app: Read<AppFacts>): Finding {
  switch (app.type) {
    case 'read':
      return ok(host, `the app "${app.fact.name}" is taken`);
    case 'refused':
      return problem(
        host,
        `GitHub does not take the app: ${app.message}`,
        'Compare "appId" with the page of the app, create a new private key there, and check the clock.',
      );
    case 'no_answer':
      return hostDoesNotAnswer(host, app.why);
  }
}

/** The finding about the login, if the service uses a token instead of an app. */
export function checkLogin(host: string, login: Read<string | null>): Finding {
  if (login.type === 'read') return ok(host, `answers; the service is ${login.fact ?? 'a token without a user'}`);
  return hostDoesNotAnswer(host, login.type === 'no_answer' ? login.why : login.message);
}

export function checkClock(host: string, there: Date | null, here: Date): Finding {
  if (there === null) return unknown(host, 'the time at GitHub is unknown');
  const seconds = Math.round((here.getTime() - there.getTime()) / MS);
  const isFar = seconds > MOST_AHEAD_SECONDS || seconds < -MOST_BEHIND_SECONDS;
  const way = seconds > 0 ? 'ahead of' : 'behind';
  if (!isFar) return ok(host, 'the clocks of this machine and of GitHub agree');
  const advice = 'Set the clock of this machine, by NTP: GitHub refuses apps whose clock is wrong.';
  return problem(host, `this clock is ${Math.abs(seconds)} s ${way} the clock of GitHub`, advice);
}

export function checkEvents(host: string, { events, settingsPage }: AppFacts): Finding {
  const missing = APP_EVENTS.filter(({ name }) => !events.includes(name)).map(({ title }) => title);
  if (missing.length === 0) return ok(host, 'the app is subscribed to every event');
  const where = settingsPage === null ? 'the page of the app' : `${settingsPage}/permissions`;
  return problem(host, `the app does not receive: ${missing.join(', ')}`, `Select these events at ${where}.`);
}

export function checkInstallation(
  about: string,
  installation: Read<InstallationFacts>,
  app: AppFacts,
): readonly Finding[] {
  if (installation.type === 'no_answer') return [unknown(about, `whether the app is installed: ${installation.why}`)];
  if (installation.type === 'refused') {
    const where = app.page === null ? 'on the page of the app' : `at ${app.page}/installations/new`;
    return [problem(about, 'the app is not installed here', `Install it ${where}, and choose this repository.`)];
  }
  const { fact } = installation;
  if (fact.isSuspended) {
    return [problem(about, 'the installation is suspended', `Unsuspend it at ${fact.page ?? 'its page on GitHub'}.`)];
  }
  const lacking = APP_PERMISSIONS.filter((permission) => !isGranted(fact.permissions, permission));
  if (lacking.length === 0) return [ok(about, 'the app is installed, with every permission it needs')];
  return lacking.map((permission) => checkLacking(about, permission, fact, app));
}

function checkLacking(
  about: string,
  permission: AppPermission,
  { permissions, page }: InstallationFacts,
  app: AppFacts,
): Finding {
  const { title, level, without, name } = permission;
  const granted = permissions[name] === 'read' ? 'read' : 'no access';
  const isAsked = isGranted(app.permissions, permission);
  const settings = app.settingsPage === null ? 'the page of the app' : `${app.settingsPage}/permissions`;
  const raise = `Raise it at ${settings}; then an owner accepts the request at ${page ?? 'the installation'}.`;
  const accept = `The app asks for it already; an owner accepts the request at ${page ?? 'the installation'}.`;
  const isEnough = granted === permission.enough;
  const what = isEnough
    ? `${title} is granted as "${granted}", and "${level}" is better: without it, ${without}`
    : `${title} is granted as "${granted}", but "${level}" is needed: without it, ${without}`;
  const advice = isAsked ? accept : raise;
  return isEnough ? ok(about, what, advice) : problem(about, what, advice);
}

function isGranted(permissions: Permissions, { name, level }: AppPermission): boolean {
  const granted = permissions[name];
  return granted === 'write' || granted === 'admin' || granted === level;
}

export function checkRate(about: string, rate: Read<RateFacts>): Finding {
  if (rate.type !== 'read') return unknown(about, 'the number of requests that GitHub still allows');
  const { limit, remaining, resetsAt } = rate.fact;
  const left = `${remaining} of ${limit} requests are left until ${resetsAt?.toISOString() ?? 'the next hour'}`;
  if (remaining > limit * LITTLE_LEFT) return ok(about, left);
  return problem(
    about,
    left,
    'Something sends many requests: see sluice_github_requests_remaining, or raise "pollSeconds".',
  );
}
