import type { MadeKind } from '../run-file';

export type CertifiedKind = 'gitea' | 'github' | 'gitlab';

export interface HostAccount {
  readonly login: string;
  readonly token: string;
}

/** A repository that the run created. */
export interface CertifiedRepository {
  readonly owner: string;
  readonly name: string;
  /** The number at the code host. */
  readonly number: number;
}

export interface ServerFacts {
  /** The version that the server reports. */
  readonly version: string;
  /** The account of the first token. */
  readonly login: string;
  /** True: the account may create organizations and users. */
  readonly isAdministrator: boolean;
}

/** A thing that the host has under a name. */
export interface FoundThing {
  readonly number: number;
  readonly name: string;
  readonly description: string;
}

/** The server refused a preparation of a row, or did not answer. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
  constructor(
    message: string,
    /** 0: no answer. */
    readonly status = 0,
  ) {
    super(message);
  }
}

/** The server lacks the feature that the row tries. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered';
}

/** The demands of a branch rule. */
export interface WantedRule {
  /** Names of required statuses. An empty list: any status is enough. Absent: no status is required. */
  readonly statuses?: readonly string[];
  readonly approvals?: number;
  readonly blocksOnRejection?: true;
  /** Only these accounts may push; an empty list: nobody. Absent: everybody with write access. */
  readonly pushers?: readonly string[];
}

export interface SeenPull {
  readonly state: 'open' | 'closed';
  readonly isMerged: boolean;
  readonly isDraft: boolean;
  readonly mergeCommit: string | null;
  readonly head: string;
  readonly base: string;
}

export interface SeenComment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
}

/** A CI run for a commit. */
export interface SeenRun {
  /** Null: the server does not say. */
  readonly branch: string | null;
  readonly isOver: boolean;
}

/** Creates a branch with a new commit. */
export type MakeBranch = () => Promise<{ readonly branch: string; readonly remove: () => Promise<void> }>;

/** People and CI in one repository. These people use the API of the server, and not the adapter. */
export interface HostPeopleAt {
  readonly repository: CertifiedRepository;
  /**
   * Uses up one pull request number. `makeBranch` is used on servers on which only pull requests use up these numbers.
   */
  useUpNumber(makeBranch: MakeBranch): Promise<void>;
  /** `head`: a branch, or a branch of a fork as `login:branch`. Returns the number. */
  openPull(pull: { head: string; base: string; title: string; body: string; as: HostAccount }): Promise<number>;
  readPull(number: number): Promise<SeenPull>;
  /** False while the server checks whether the pull request can be merged. Absent: the server does not say. */
  isLookedAt?(number: number): Promise<boolean>;
  editPull(number: number, changes: { base?: string; isDraft?: true; state?: 'closed' }): Promise<void>;
  openPulls(): Promise<readonly number[]>;
  comment(number: number, body: string, as: HostAccount): Promise<string>;
  comments(number: number): Promise<readonly SeenComment[]>;
  reactions(commentId: string, number: number): Promise<readonly string[]>;
  addLabel(number: number, name: string, as: HostAccount): Promise<void>;
  removeLabel(number: number, name: string, as: HostAccount): Promise<void>;
  labels(number: number): Promise<readonly string[]>;
  review(number: number, verdict: 'approved' | 'rejected' | 'comment', as: HostAccount): Promise<void>;
  /** Sets a status. Throws NotOffered if the server does not accept the state. */
  setStatus(commit: string, name: string, state: string, as: HostAccount): Promise<void>;
  /** The newest state of the status with this name, in the words of the server; null: no such status. */
  statusOf(commit: string, name: string): Promise<string | null>;
  /** Adds a webhook for all events, as the guide of the code host describes. */
  addHook(url: string, secret: string): Promise<void>;
  /** CI runs for the commit. */
  runs(commit: string): Promise<readonly SeenRun[]>;
  protect(branch: string, rule: WantedRule): Promise<void>;
  /** Changes the setting of this name at the server. Throws NotOffered if the server does not have the setting. */
  set(setting: 'marks' | 'removes_head_branches', value: boolean): Promise<void>;
  setDefaultBranch(branch: string): Promise<void>;
  renameBranch(from: string, to: string): Promise<void>;
  /** Gives the account all permissions that the guide asks for the service. */
  addService(account: HostAccount): Promise<void>;
  /** Lets the account write, and see the repository. */
  addWriter(account: HostAccount): Promise<void>;
  addReader(account: HostAccount): Promise<void>;
  /** Makes the server refuse new branches that begin with `sluice-merge/`. Returns words that its refusal contains. */
  refuseTestingBranches(): Promise<string>;
}

/** A tested server, with the differences between the kinds of code hosts. */
export interface TestedServer {
  readonly kind: CertifiedKind;
  /** The base URL of git repositories, without a slash at the end. */
  readonly gitUrl: string;
  /** The base URL of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** The path of a CI workflow in a repository. */
  readonly workflowPath: string;
  /** The ref of a pull request's head. */
  headRefOf(number: number): string;
  /** The shown state of a pull request whose commits were pushed to the target. */
  showsMergesBy(mergeMethod: string): 'merged' | 'closed';
  hasBranches(repository: CertifiedRepository): Promise<boolean>;
  about(): Promise<ServerFacts>;
  /** Null: nothing has that name, or the token cannot see it. */
  find(kind: MadeKind, name: string): Promise<FoundThing | null>;
  makeOrganization(name: string, marker: string): Promise<number>;
  makeUser(login: string, marker: string): Promise<{ readonly number: number; readonly password: string }>;
  tokenOf(login: string, password: string): Promise<string>;
  makeRepository(owner: string, name: string, marker: string): Promise<CertifiedRepository>;
  /** Returns the number of the fork. */
  fork(
    repository: CertifiedRepository,
    into: { readonly owner: string; readonly name: string },
    as: HostAccount,
    marker: string,
  ): Promise<number>;
  renameRepository(repository: CertifiedRepository, name: string): Promise<CertifiedRepository>;
  remove(kind: MadeKind, thing: FoundThing): Promise<void>;
  /** The login of a token. */
  loginOf(token: string): Promise<string>;
  people(repository: CertifiedRepository): HostPeopleAt;
}
