import {
  type ExaminedRepository,
  type Finding,
  type HostExamination,
  hostDoesNotAnswer,
  nameOfRepository,
  ok,
  problem,
  unknown,
} from '../../domain/host-examination';
import type { HostRepository } from '../../domain/code-host.port';
import { examineGit } from '../git/git-examination';
import type { Verification } from '../git/signing/examine-key';
import { listAt, textAt } from '../reading';
import { type HostAnswer, replyOrWhyNot } from './client/host-answer';
import type { TokenApi } from './client/token-api';
import type { HostGit } from './host-git';

export interface ExaminedServer extends Pick<HostGit, 'git' | 'keys'> {
  readonly api: TokenApi;
}

export interface SeenRepository extends ExaminedRepository {
  /** The repository's name in findings. */
  readonly about: string;
  /** The server's description of the repository. */
  readonly seen: unknown;
  /** The rules of protected branches, or the reason why they cannot be read. */
  readonly rules: readonly unknown[] | string;
}

/** The questions and sentences of one kind of server. */
export interface ServerDoctor {
  /** The field of a user that holds the login. */
  readonly loginField: 'login' | 'username';
  /** The scope that a token needs to read its own user. */
  readonly userScope: string;
  readonly unreadableAdvice: string;
  /** `what`: the version and the login. */
  examineToken(host: string, what: string, version: string): Promise<readonly Finding[]>;
  /** Asks for the rules of protected branches. */
  askRules(repository: HostRepository): Promise<HostAnswer>;
  /** Everything about the repository except for keys and testing branches. */
  examineRepository(repository: SeenRepository, examination: HostExamination): Promise<readonly Finding[]>;
  /** The name of the rule that applies to the branch; null if there is none. */
  ruleOf(branch: string, rules: readonly unknown[]): string | null;
  /** Asks whether the server verifies the signature of a commit. */
  verificationOf(repository: HostRepository, commit: string): Promise<Verification>;
}

/** Examines a server that takes a token for `sluice doctor`. Changes nothing but the ref of a key's examination. */
export async function examineServer(
  examination: HostExamination,
  server: ExaminedServer,
  doctor: ServerDoctor,
): Promise<readonly Finding[]> {
  const findings = [
    await examineGit(examination.host, server.git),
    ...(await examineToken(examination.host, server, doctor)),
  ];
  for (const one of examination.repositories)
    findings.push(...(await examineRepository(one, examination, server, doctor)));
  return findings;
}

async function examineToken(host: string, { api }: ExaminedServer, doctor: ServerDoctor): Promise<readonly Finding[]> {
  const version = await replyOrWhyNot(() => api.askServer('GET', '/version'));
  if (typeof version === 'string') return [hostDoesNotAnswer(host, version)];
  const user = await replyOrWhyNot(() => api.askServer('GET', '/user'));
  if (typeof user === 'string') {
    const why = `the service does not know its own login, so it may answer its own comments: ${user}`;
    return [problem(host, why, `Give the token the scope ${doctor.userScope}.`)];
  }
  const name = textAt(version.body, 'version') ?? '?';
  const login = textAt(user.body, doctor.loginField) ?? '?';
  return doctor.examineToken(host, `version ${name}; the service is ${login}`, name);
}

async function examineRepository(
  examined: ExaminedRepository,
  examination: HostExamination,
  { api, keys }: ExaminedServer,
  doctor: ServerDoctor,
): Promise<readonly Finding[]> {
  const { repository } = examined;
  const about = nameOfRepository(repository);
  const seen = await replyOrWhyNot(() => api.ask(repository, 'GET', ''));
  if (typeof seen === 'string') return [problem(about, `cannot be read: ${seen}`, doctor.unreadableAdvice)];
  const read = await replyOrWhyNot(() => doctor.askRules(repository));
  const rules = typeof read === 'string' ? read : listAt(read.body);
  const { brand } = examination;
  const ask = (commit: string): Promise<Verification> => doctor.verificationOf(repository, commit);
  return [
    ...(await doctor.examineRepository({ ...examined, about, seen: seen.body, rules }, examination)),
    ...(await keys.examine(repository, { about, brand, ask })),
    examineTestingBranches(about, `${brand}-merge/pr-1/run`, rules, doctor),
  ];
}

/** Nobody can remove a testing branch that a rule protects, and only users with push access can create it. */
function examineTestingBranches(
  about: string,
  branch: string,
  rules: readonly unknown[] | string,
  doctor: ServerDoctor,
): Finding {
  if (typeof rules === 'string') return unknown(about, `which branches are protected: ${rules}`);
  const rule = doctor.ruleOf(branch, rules);
  if (rule === null) return ok(about, 'no rule applies to testing branches');
  const what = `the rule "${rule}" also applies to testing branches such as ${branch}, so nobody can remove them`;
  return problem(about, what, 'Change the pattern of the rule, so that it does not match testing branches.');
}
