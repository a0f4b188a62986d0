import type { TestIdentity } from './test-identity';

interface Repository {
  readonly owner: string;
  readonly name: string;
}

const SEGMENT = '[^/\\s]{1,100}';

/**
 * Checkout folders of CI systems. Each pattern begins with fixed folders, so that it matches no other paths. All other
 * absolute paths stay: `/app` in a container is the same in every run, and a checkout folder on a person's machine is
 * only known if the upload names it.
 */
function placesOf({ owner, name }: Repository): string[] {
  const [o, n] = [escaped(owner), escaped(name)];
  return [
    // GitHub Actions
    `(?:/home/runner/work|/Users/runner/work|/__w|/home/runner/_work|/opt/actions-runner/_work)/${n}/${n}/`,
    `[A-Za-z]:\\\\a\\\\${n}\\\\${n}\\\\`,
    `[A-Za-z]:/a/${n}/${n}/`,
    // GitLab CI
    `(?:/home/gitlab-runner)?/builds/(?:[\\w-]{1,100}/\\d{1,4}/)?${o}/${n}/`,
    // Buildkite: agent, organization, pipeline
    `/var/lib/buildkite-agent/builds/${SEGMENT}/${SEGMENT}/${n}/`,
    `/home/travis/build/${o}/${n}/`,
    // Jenkins: each branch has its own folder, and the folders of parallel jobs end with a number
    `(?:/var/jenkins_home|/var/lib/jenkins|/home/jenkins(?:/agent)?)/workspace/${n}(?:[_@]${SEGMENT})?/`,
    // Azure Pipelines
    '(?:/home/vsts/work|/Users/runner/work|/__w)/\\d{1,4}/s/',
    '[A-Za-z]:\\\\a\\\\\\d{1,4}\\\\s\\\\',
    // Bitbucket and CircleCI
    '/opt/atlassian/pipelines/agent/build/',
    '(?:/home/circleci|/Users/distiller)/project/',
  ];
}

/** Removes the folder of the checkout from texts of a report, so that a test has the same name in every checkout. */
export class Workspace {
  private readonly atBeginning: RegExp;
  private readonly anywhere: RegExp;

  /** `root`: the absolute path of the checkout; null: unknown, so only the folders of CI systems are removed. */
  constructor(repository: Repository, root: string | null) {
    const own = root === null ? [] : [`${rootPattern(root)}[\\\\/]`];
    const place = `(?:file:/{2,3}(?=/|[A-Za-z]:))?(?:${[...own, ...placesOf(repository)].join('|')})`;
    // eslint-disable-next-line no-restricted-syntax -- The parts of `place` are escaped or ours, and nothing in them repeats without end.
    this.atBeginning = new RegExp(`^${place}`);
    // eslint-disable-next-line no-restricted-syntax -- The same.
    this.anywhere = new RegExp(`(?<![\\w.~/\\\\-])${place}`, 'g');
  }

  /** The path from the root of the repository, with slashes; unchanged outside known folders. */
  fileOf(path: string): string {
    const own = path.replace(this.atBeginning, '');
    return plainPath(own === path ? path : own.replaceAll('\\', '/'));
  }

  /** The identity of a test, the same in every checkout. */
  identityOf({ file, classname, parent, name }: Omit<TestIdentity, 'variant'>, variant: string): TestIdentity {
    return {
      file: this.fileOf(file),
      classname: this.textOf(classname),
      parent: this.textOf(parent),
      name: this.textOf(name),
      variant,
    };
  }

  /** The text with all paths in it shortened to paths from the root of the repository; separators stay. */
  textOf(text: string): string {
    return text.includes('/') || text.includes('\\') ? text.replace(this.anywhere, '') : text;
  }
}

/** A path without the additions of runners: `./a.rb`, `a.rb:12`, `a\\b.py` on Windows. */
function plainPath(path: string): string {
  if (path === '') return path;
  const isOfWindows = path.includes('\\') && !path.includes('/') && !/^[A-Za-z]:|^\\\\/.test(path) && !/\s/.test(path);
  const slashes = isOfWindows ? path.replaceAll('\\', '/') : path;
  return slashes.replace(/^(?:\.\/)+(?=[^/])/, '').replace(/(?<=\.[A-Za-z]\w{0,9})(?::\d{1,7}){1,2}$/, '');
}

/** The separators of a Windows path may be slashes or backslashes. */
function rootPattern(root: string): string {
  const parts = root.replace(/[\\/]+$/, '');
  const isWindows = /^[A-Za-z]:|\\/.test(parts);
  return isWindows ? parts.split(/[\\/]/).map(escaped).join('[\\\\/]') : escaped(parts);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
