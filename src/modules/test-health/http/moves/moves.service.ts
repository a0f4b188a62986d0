import { Injectable } from '@nestjs/common';
import type { TestCase } from '../../../../generated/prisma/client';
import { changeRecorded } from '../../../../platform/audit/audit-log';
import type { Caller } from '../../../../platform/requests/caller';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { DomainError } from '../../../../platform/errors/domain-error';
import { QueueLocator } from '../../../shared/queue-locator';
import { findMovedTests } from '../../storage/moves/find-moved-tests';
import { type MoveOutcome, moveTest } from '../../storage/moves/move-test';
import { undoMove } from '../../storage/moves/undo-move';
import { auditedBy } from '../audited';
import { invalidField, noSuchTest } from '../refusals';
import type {
  ListedMoves,
  ListMovesRequest,
  MadeMove,
  MovedTest,
  MoveTestRequest,
  SuggestedMove,
  UndoMoveRequest,
  UndoneMove,
} from './dto/moves.dto';

const MOST_LISTED = 100;

/** Renamed tests: suggests pairs of names, joins two names into one test, and undoes a join. */
@Injectable()
export class MovesService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  /** Errors: ORGANIZATION_MISMATCH, REPOSITORY_NOT_FOUND. */
  async list(caller: Caller, { repo, org_url_slug }: ListMovesRequest): Promise<ListedMoves> {
    requireOwnSlug(caller, org_url_slug);
    const { id: repositoryId } = await this.locator.repository(caller, repo);
    const moves = await this.prisma.$queryRaw<MoveRow[]>`/* moves.service list */
      SELECT "id"::text AS id, "at", "testCaseId", coalesce("actor", '') AS actor, "reason",
        "before"->'from' AS former, "before"->'to' AS moved
      FROM "TestMove" WHERE "repositoryId" = ${repositoryId}::uuid AND "undoneAt" IS NULL
      ORDER BY "id" DESC LIMIT ${MOST_LISTED}`;
    return { suggested: await this.suggested(repositoryId), moves: moves.map(madeMove) };
  }

  /**
   * Errors: ORGANIZATION_MISMATCH, REPOSITORY_NOT_FOUND, NOT_FOUND, VALIDATION_FAILED if the two names cannot be one
   * test.
   */
  async move(caller: Caller, request: MoveTestRequest): Promise<MovedTest> {
    const { repo, org_url_slug, test_case_id: from, moved_test_case_id: to, reason } = request;
    requireOwnSlug(caller, org_url_slug);
    if (from.toLowerCase() === to.toLowerCase()) throw invalidField('moved_test_case_id', 'must be another test');
    const repository = await this.locator.repository(caller, repo);
    const now = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      const wanted = { repositoryId: repository.id, from, to, actor: caller.tokenName, reason, line: '', now };
      const outcome = await moveTest(tx, wanted);
      if (outcome.type !== 'moved') throw refusalOf(outcome, from);
      const row = await tx.testCase.findUniqueOrThrow({ where: { id: from } });
      const audited = auditedBy(caller, repository, now, `${row.name} (${from})`);
      const change = { from: { test_case_id: to }, to: { test_case_id: from, reason } };
      await tx.$executeRaw(changeRecorded({ ...audited, action: 'test.moved', ...change }));
      const { name, status, quarantined } = row;
      return { move_id: outcome.id, test_case_id: row.id, name, status, quarantined };
    });
  }

  /**
   * Errors: ORGANIZATION_MISMATCH, REPOSITORY_NOT_FOUND, NOT_FOUND, VALIDATION_FAILED if a later move must be undone
   * first.
   */
  async undo(caller: Caller, { repo, org_url_slug, move_id, reason }: UndoMoveRequest): Promise<UndoneMove> {
    requireOwnSlug(caller, org_url_slug);
    const repository = await this.locator.repository(caller, repo);
    const now = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      const wanted = { repositoryId: repository.id, id: move_id, actor: caller.tokenName, reason, now };
      const outcome = await undoMove(tx, wanted);
      if (outcome.type === 'no_move') throw new DomainError('NOT_FOUND', `The repository has no move ${move_id}.`);
      if (outcome.type === 'moved_again')
        throw invalidField('move_id', `must be ${outcome.id} first: the test moved again`);
      const { from, to } = outcome;
      const audited = auditedBy(caller, repository, now, `move ${move_id} of ${from}`);
      const change = { from: { test_case_id: from }, to: { test_case_id: to, reason } };
      await tx.$executeRaw(changeRecorded({ ...audited, action: 'test.move_undone', ...change }));
      return { test_case_id: from, restored_test_case_id: to };
    });
  }

  private async suggested(repositoryId: string): Promise<SuggestedMove[]> {
    const found = (await findMovedTests(this.prisma, repositoryId, this.clock.now())).slice(0, MOST_LISTED);
    const ids = [...new Set(found.flatMap(({ from, to }) => [from, to]))];
    const rows = new Map(
      (await this.prisma.testCase.findMany({ where: { id: { in: ids } } })).map((row) => [row.id, row]),
    );
    return found.flatMap(({ from, to, isOnlyCandidate, line }) => {
      const [former, moved] = [rows.get(from), rows.get(to)];
      // A test is absent if it has just been removed.
      if (former === undefined || moved === undefined) return [];
      return [{ from: identified(former), to: identified(moved), automatic: isOnlyCandidate && line !== '' }];
    });
  }
}

interface MoveRow {
  readonly id: string;
  readonly at: Date;
  readonly testCaseId: string;
  readonly actor: string;
  readonly reason: string;
  readonly former: StoredName;
  readonly moved: StoredName;
}

type StoredName = Pick<TestCase, 'name' | 'classname' | 'parent' | 'filePath' | 'variant' | 'status'>;

function madeMove({ id, at, testCaseId, actor, reason, former, moved }: MoveRow): MadeMove {
  const names = { former: named(former), moved: named(moved) };
  return { id, timestamp: at.toISOString(), test_case_id: testCaseId, ...names, actor, reason };
}

function named({ name, classname, parent, filePath: file, variant, status }: StoredName): MadeMove['former'] {
  return { name, classname, parent, file, variant, status };
}

function identified(row: TestCase): SuggestedMove['from'] {
  return { test_case_id: row.id, ...named(row) };
}

function refusalOf(outcome: Exclude<MoveOutcome, { readonly type: 'moved' }>, from: string): DomainError {
  if (outcome.type === 'no_test') return noSuchTest(outcome.id);
  if (outcome.type === 'both_ran')
    return invalidField('moved_test_case_id', `must not have run on commit ${outcome.commit} together with the other`);
  if (outcome.type === 'moved_before')
    return invalidField('moved_test_case_id', `must be a test to which no other moved, as by move ${outcome.id}`);
  const field = outcome.id === from ? 'test_case_id' : 'moved_test_case_id';
  return invalidField(field, 'must be a single test, and no failure outside tests');
}
