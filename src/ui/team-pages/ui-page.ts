import { type Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { Caller } from '../../platform/requests/caller';
import type { Capability } from '../../platform/requests/roles';
import type { Html } from '../html';

const UI_PAGE = Symbol('UiPage');
const PATH_PATTERN = /^[a-z][a-z0-9-]{0,39}$/;
const MOST_TAB = 20;

export interface UiPageOptions {
  /** `[a-z][a-z0-9-]{0,39}`: the page is at `/ui/x/<path>`. */
  readonly path: string;
  /** The label of the page's tab, next to Queue and Tests: up to 20 characters. */
  readonly tab: string;
  /** The window title; absent: the label of the tab. */
  readonly title?: string;
  /**
   * The capability that a token needs to see the page; absent: `read`. People without this capability do not see the
   * tab.
   */
  readonly capability?: Capability;
}

/**
 * The person who looks at an extension's page, and the queue that the page is about. The caller may see the repository.
 */
export interface UiPageVisit {
  readonly caller: Caller;
  /** The login at code hosts that the person gave; "": none. The login is not verified. */
  readonly personName: string;
  readonly queueId: string;
  readonly repositoryId: string;
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly targetBranch: string;
  /** The query string of the URL. */
  readonly question: Readonly<Record<string, unknown>>;
  readonly now: Date;
}

/** A class marked with `@UiPage`: it draws the content between our header and footer. */
export interface QueuePage {
  render(visit: UiPageVisit): Html | Promise<Html>;
}

/**
 * Marks a provider as a page about one queue, in the frame of our pages. The content of the page begins with an `<h1>`.
 */
export function UiPage(options: UiPageOptions): (page: Type<QueuePage>) => void {
  const { path, tab } = options;
  if (!PATH_PATTERN.test(path)) {
    throw new TypeError(
      `The path ${JSON.stringify(path)} of a page must be 1 to 40 lower-case letters, digits and hyphens, a letter first.`,
    );
  }
  if (tab.length === 0 || tab.length > MOST_TAB) {
    throw new TypeError(`The tab ${JSON.stringify(tab)} of the page ${path} must have 1 to ${MOST_TAB} characters.`);
  }
  return (page) => Reflect.defineMetadata(UI_PAGE, options, page);
}

export interface FoundPage extends UiPageOptions {
  readonly page: QueuePage;
}

/** Every marked provider. Throws when two pages have the same path, or when a page is created for each request. */
export function findPages(discovery: DiscoveryService): FoundPage[] {
  const found = new Map<string, FoundPage>();
  for (const wrapper of discovery.getProviders()) {
    const { metatype } = wrapper;
    if (typeof metatype !== 'function') continue;
    const options = Reflect.getMetadata(UI_PAGE, metatype) as UiPageOptions | undefined;
    if (options === undefined) continue;
    if (!wrapper.isDependencyTreeStatic()) {
      throw new Error(`The page ${metatype.name} is created again for each request; its provider must be a singleton.`);
    }
    const page = wrapper.instance as QueuePage;
    const other = found.get(options.path);
    if (other && other.page !== page) {
      throw new Error(`Two pages have the path ${options.path}; each needs one of its own.`);
    }
    found.set(options.path, { ...options, page });
  }
  return [...found.values()];
}
