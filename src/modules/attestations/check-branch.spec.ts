import { generateKeyPairSync } from 'node:crypto';
import { asSigstoreBundle, signed, type SigningKey, signingKeyIn } from './statement/envelope';
import { payloadDigest, type StatedLanding, PAYLOAD_TYPE, payloadOf } from './statement/landing-statement';
import { keysInFile } from './trusted-keys';
import { checkBranch, type CheckedBranch, type CheckedCommit } from './check-branch';
import { openStatement } from './opened-statements';

const KEY = newKey();
const OTHER_KEY = newKey();
const MERGED_AT = '2026-11-20T12:00:00.000Z';

function newKey(): SigningKey {
  return signingKeyIn(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

function id(digit: number): string {
  return String(digit).repeat(40);
}

/** The branch has the commits 1 to 4 above 0; statement n says that pull request n made commit n. */
const BRANCH = {
  branch: 'main',
  base: id(0),
  commits: [1, 2, 3, 4].map((digit) => ({ commit: id(digit), tree: id(digit) })),
};

type Chained = Omit<StatedLanding, 'previous'>;

function landing(number: number, more: Partial<Chained> = {}): Chained {
  return {
    repository: 'https://git.example/acme/widgets',
    branch: 'main',
    number,
    mergedAt: MERGED_AT,
    signedAt: MERGED_AT,
    before: id(number - 1),
    after: id(number),
    tree: id(number),
    pullRequest: { number, head: id(9) },
    merge: { method: 'squash', git: '2.39.5' },
    test: null,
    approvedBy: [],
    demandsUnmet: [],
    demandsSeenAt: null,
    settings: {
      ...{ mode: 'single', scheduling: 'in_order', batch: false, concurrency: 1, pendingFailureDepth: 0 },
      ...{ optimistic: false, directMerges: 'off' },
    },
    service: { name: 'sluice', version: '1.0.0' },
    ...more,
  };
}

interface File {
  readonly name: string;
  readonly text: string;
}

/** Each statement names the digest of the previous one. */
function filesOf(landings: readonly Chained[], key = KEY): readonly File[] {
  let previous: string | null = null;
  return landings.map((one) => {
    const payload = payloadOf({ ...one, previous });
    previous = payloadDigest(payload);
    return { name: String(one.number), text: JSON.stringify(asSigstoreBundle(signed(PAYLOAD_TYPE, payload, key))) };
  });
}

const FILES = filesOf([1, 2, 3, 4].map((number) => landing(number)));

function check(files: readonly File[], keys = KEY.publicKey, branch = BRANCH): Promise<CheckedBranch> {
  const trusted = keysInFile(keys);
  const opened = files.map(({ name, text }) => openStatement(name, text, trusted));
  return checkBranch(branch, opened, () => Promise.resolve(null));
}

function verdicts({ commits }: CheckedBranch): readonly CheckedCommit['verdict'][] {
  return commits.map(({ verdict }) => verdict);
}

function whys({ commits }: CheckedBranch): readonly string[] {
  return commits.flatMap((one) => (one.verdict === 'at_fault' ? [one.why] : []));
}

/** The file with a changed payload and the old signature. */
function altered({ name, text }: File, from: string, to: string): File {
  const bundle = JSON.parse(text) as { dsseEnvelope: { payload: string } };
  const payload = Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString('utf8');
  if (!payload.includes(from)) throw new Error(`No ${from} in ${payload}`);
  bundle.dsseEnvelope.payload = Buffer.from(payload.replace(from, to)).toString('base64');
  return { name, text: JSON.stringify(bundle) };
}

describe('the check of a branch', () => {
  it('verifies commits whose statements are complete, signed and in order', async () => {
    const checked = await check(FILES);
    expect(verdicts(checked)).toEqual(['verified', 'verified', 'verified', 'verified']);
    expect(checked.faults).toEqual([]);
  });

  it('gives the same result for any order of the statement files', async () => {
    expect(verdicts(await check(FILES.toReversed()))).toEqual(['verified', 'verified', 'verified', 'verified']);
  });

  it('reports a tree that differs from the statement', async () => {
    const commits = BRANCH.commits.map((one, index) => (index === 2 ? { ...one, tree: id(7) } : one));
    const checked = await check(FILES, KEY.publicKey, { ...BRANCH, commits });
    expect(verdicts(checked)).toEqual(['verified', 'verified', 'at_fault', 'verified']);
    expect(whys(checked)[0]).toContain(`it says that the tree is ${id(3)}, but the commit has ${id(7)}`);
  });

  it('reports a statement whose head git merges into another tree', async () => {
    const opened = FILES.map(({ name, text }) => openStatement(name, text, keysInFile(KEY.publicKey)));
    const checked = await checkBranch(BRANCH, opened, ({ number }) =>
      Promise.resolve(number === 2 ? 'another tree' : null),
    );
    expect(whys(checked)).toEqual(['statement 2: another tree']);
  });

  it('reports commits that are not in the order of their statements', async () => {
    const [one, two, three, four] = BRANCH.commits;
    const checked = await check(FILES, KEY.publicKey, { ...BRANCH, commits: [one!, three!, two!, four!] });
    expect(verdicts(checked)).toContain('at_fault');
  });

  it('reports a removed statement', async () => {
    const checked = await check([FILES[0]!, FILES[2]!, FILES[3]!]);
    expect(verdicts(checked)).toEqual(['verified', 'without_statement', 'verified', 'verified']);
    expect(checked.faults).toEqual(['Statement 2 is missing.']);
  });

  it('reports commits after the last statement', async () => {
    expect(verdicts(await check(FILES.slice(0, 2)))).toEqual([
      ...['verified', 'verified', 'without_statement', 'without_statement'],
    ]);
  });

  it('reports statements of another branch', async () => {
    const files = filesOf([landing(1), landing(2, { branch: 'release' }), landing(3), landing(4)]);
    expect(whys(await check(files))).toEqual(['statement 2: it is about the branch release']);
    const elsewhere = filesOf([
      ...[1, 2, 3, 4].map((number) => landing(number)),
      landing(5, { branch: 'release', after: id(8) }),
    ]);
    expect((await check(elsewhere)).faults).toEqual(['Statement 5: it is about the branch release.']);
  });

  it('reports statements that are signed with another key', async () => {
    const checked = await check(FILES, OTHER_KEY.publicKey);
    expect(verdicts(checked)).toEqual(['at_fault', 'at_fault', 'at_fault', 'at_fault']);
    expect(whys(checked)[0]).toContain('which is not among the given keys');
  });

  it('reports a revoked key, from the time of its revocation', async () => {
    const files = filesOf([landing(1), landing(2), landing(3, { signedAt: '2026-11-21T12:00:00.000Z' }), landing(4)]);
    const revoked = { id: KEY.id, publicKey: KEY.publicKey, revokedFrom: '2026-11-21T00:00:00.000Z' };
    const checked = await check(files, JSON.stringify({ keys: [revoked] }));
    expect(whys(checked)).toEqual([
      `statement 3: its key ${KEY.id.slice(0, 12)} is revoked from 2026-11-21T00:00:00.000Z on`,
    ]);
  });

  it('reports a forged status in a statement', async () => {
    const statuses = [{ name: 'tests', state: 'failure', at: MERGED_AT }];
    const test = { run: 1, commit: id(1), tree: id(1), pullRequests: [1], required: ['tests'], statuses };
    const files = filesOf([landing(1, { test }), ...[2, 3, 4].map((number) => landing(number))]);
    const checked = await check([altered(files[0]!, 'failure', 'success'), ...files.slice(1)]);
    expect(whys(checked)).toContain('statement 1: its signature does not match: the statement was changed');
  });

  it('reports a statement that was replaced by another signed statement', async () => {
    const forged = filesOf([landing(1), landing(2, { pullRequest: { number: 7, head: id(8) } })]);
    const checked = await check([FILES[0]!, forged[1]!, FILES[2]!, FILES[3]!]);
    expect(whys(checked)).toEqual(['statement 3: its predecessor is not statement 2 of the bundle']);
  });

  it('reports two statements with the same number, and two statements about the same commit', async () => {
    expect(whys(await check([...FILES, FILES[1]!]))).toContain(
      'statement 2: there are two statements with the number 2',
    );
    const files = filesOf([landing(1), landing(2), landing(3, { before: id(0), after: id(2), tree: id(2) })]);
    expect(whys(await check(files))).toContain(
      'statement 3: an earlier statement is about the same commits or about later commits',
    );
  });

  it('reports a statement about a commit that is not on the branch', async () => {
    const files = filesOf([...[1, 2, 3, 4].map((number) => landing(number)), landing(5, { after: id(8) })]);
    expect((await check(files)).faults[0]).toContain(`the branch does not have the commit ${id(8)}`);
  });

  it('accepts commits without a statement that somebody pushed during a merge', async () => {
    const files = filesOf([landing(1), landing(2), landing(3, { before: id(2), after: id(4), tree: id(4) })]);
    const checked = await check(files);
    expect(verdicts(checked)).toEqual(['verified', 'verified', 'without_statement', 'verified']);
    const rebased = { before: id(2), after: id(4), tree: id(4), merge: { method: 'rebase', git: '2.39.5' } };
    const opened = filesOf([landing(1), landing(2), landing(3, rebased)]).map(({ name, text }) =>
      openStatement(name, text, keysInFile(KEY.publicKey)),
    );
    const onThird = await checkBranch(BRANCH, opened, ({ number }, base) =>
      Promise.resolve(number < 3 || base === id(3) ? null : 'another tree'),
    );
    expect(verdicts(onThird)).toEqual(['verified', 'verified', 'without_statement', 'verified']);
  });

  it('needs no commit for a pull request whose changes were already on the branch', async () => {
    const files = filesOf([
      landing(1),
      landing(2, { before: id(1), after: id(1), tree: id(1) }),
      landing(3, { before: id(1), after: id(2), tree: id(2) }),
    ]);
    expect(verdicts(await check(files))).toEqual(['verified', 'verified', 'without_statement', 'without_statement']);
  });

  it('accepts later statements when only a part of the branch is checked', async () => {
    const part = { ...BRANCH, commits: BRANCH.commits.slice(0, 2), goesOn: true };
    expect(await check(FILES, KEY.publicKey, part)).toMatchObject({
      commits: [{ verdict: 'verified' }, { verdict: 'verified' }],
      faults: [],
    });
  });

  it('reports a file that is not a statement', async () => {
    expect((await check([...FILES, { name: 'more.json', text: '{}' }])).faults).toEqual([
      'more.json is not a signed statement.',
    ]);
  });

  it('accepts a lower commit of a stack only if an earlier statement contains its merge', async () => {
    const below = [
      { commit: id(6), merged: { before: id(0), after: id(1) } },
      { commit: id(7), merged: { before: id(4), after: id(5) } },
    ];
    const files = filesOf([landing(1), landing(2, { below })]);
    const opened = files.map(({ name, text }) => openStatement(name, text, keysInFile(KEY.publicKey)));
    const asked: unknown[] = [];
    await checkBranch(BRANCH, opened, (_landing, _base, counting) => {
      asked.push(counting.map(({ commit }) => commit));
      return Promise.resolve(null);
    });
    expect(asked).toEqual([[], [id(6)]]);
  });
});

describe('the payload of a statement', () => {
  it('leaves out statuses above its size limit, and leaves out required statuses last', () => {
    const name = (index: number): string => `a status with a rather long name, number ${index}`;
    const statuses = Array.from({ length: 100 }, (_, index) => ({
      name: name(index),
      state: 'success',
      at: MERGED_AT,
    }));
    const test = { run: 1, commit: id(1), tree: id(1), pullRequests: [1], required: [name(0)], statuses };
    const payload = payloadOf({ ...landing(1, { test }), previous: null });
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(2_700);
    const { predicate } = JSON.parse(payload) as { predicate: StatedLanding };
    expect(predicate.test!.statuses[0]).toEqual(statuses[0]);
    expect(predicate.test!.statuses.length + predicate.test!.statusesLeftOut!).toBe(100);
  });
});

describe('a statement about a stack', () => {
  const whole = landing(1, {
    after: id(3),
    tree: id(3),
    stack: [1, 2].map((number) => ({ number, head: id(number) })),
  });

  it('covers all commits of its merge: the last commit has the tree of the stack on the former target', async () => {
    const bases: string[] = [];
    const opened = filesOf([whole, landing(2, { before: id(3), after: id(4), tree: id(4) })]).map(({ name, text }) =>
      openStatement(name, text, keysInFile(KEY.publicKey)),
    );
    const checked = await checkBranch(BRANCH, opened, (_, base) => {
      bases.push(base);
      return Promise.resolve(null);
    });
    expect(bases).toEqual([id(0), id(3)]);
    expect(checked.commits.map(({ verdict }) => verdict)).toEqual(Array(4).fill('verified'));
    expect(checked.faults).toEqual([]);
  });

  it('fails for all its commits if the tree is not the result of a merge', async () => {
    const opened = filesOf([whole]).map(({ name, text }) => openStatement(name, text, keysInFile(KEY.publicKey)));
    const checked = await checkBranch(BRANCH, opened, () => Promise.resolve('another tree'));
    expect(checked.commits.map(({ verdict }) => verdict)).toEqual([
      ...Array<string>(3).fill('at_fault'),
      'without_statement',
    ]);
  });
});
