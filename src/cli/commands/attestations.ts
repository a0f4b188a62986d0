import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { answering, askingService, type ServiceOptions } from '../answering';
import { parseInstant, parseNumber, parseRepository, REPOSITORY } from '../arguments';
import { databaseWork } from '../loaded-later';
import { table } from '../reply';
import type { Terminal } from '../terminal';
import type { RepositoryName } from '../../platform/repository-name';

interface BundleOptions extends ServiceOptions {
  readonly branch: string;
  readonly from?: number;
  readonly output: string;
}

interface KeysAnswer {
  readonly keys: readonly {
    readonly id: string;
    readonly since: string;
    readonly until: string | null;
    readonly revokedFrom: string | null;
  }[];
}

interface KeysOptions extends ServiceOptions {
  readonly output?: string;
}

interface RotateOptions {
  readonly file?: string;
  readonly lost?: true;
}

export function addAttestationCommands(program: Command, terminal: Terminal): void {
  const attestation = program.command('attestation').description('signed statements about merges, and their keys');
  addBundle(attestation, terminal);
  addKeys(attestation, terminal);

  const rotate = attestation
    .command('rotate-key')
    .description("sign with a new key from now on; the present key vouches for the new key (on the service's machine)")
    .option('--file <path>', 'file for the new private key; needed if SLUICE_ATTESTATION_KEY is set')
    .option('--lost', 'the present key is lost, so nothing vouches for the new key');
  answering<RotateOptions>(rotate, terminal, async ({ options: { file, lost } }) => {
    const { readConfig, rotateKey, withDatabase } = databaseWork();
    const config = readConfig();
    const rotated = await withDatabase((prisma, now) =>
      rotateKey(prisma, { config, file, isLost: lost ?? false, now }),
    );
    const restart = `set SLUICE_ATTESTATION_KEY_FILE=${file} for all processes, and restart them`;
    return {
      data: rotated,
      lines: [`Statements are signed with the key ${rotated.to} from now on.`],
      next:
        file === undefined
          ? 'give people who verify the new keys: sluice attestation keys --output keys.json'
          : restart,
    };
  });

  const revoke = attestation
    .command('revoke-key')
    .description("revoke a former key (on the service's machine)")
    .argument('<id>', 'id of the key, or the beginning of the id')
    .requiredOption('--from <time>', 'date or time from which statements of this key do not count', parseInstant);
  answering<{ readonly from: Date }>(revoke, terminal, async ({ args: [id], options: { from } }) => {
    const { revokeKey, withDatabase } = databaseWork();
    const revoked = await withDatabase((prisma, now) => revokeKey(prisma, id as string, from, now));
    return {
      data: { ...revoked, from },
      lines: [`Statements that ${revoked.id} signed from ${from.toISOString()} on do not count.`],
      next: 'give people who verify the new list: sluice attestation keys --output keys.json',
    };
  });
}

function addBundle(attestation: Command, terminal: Terminal): void {
  const bundle = attestation
    .command('bundle')
    .description('download what `sluice verify` needs for a branch: statements, keys and heads')
    .argument(...REPOSITORY, parseRepository)
    .option('--branch <branch>', 'the target branch', 'main')
    .option('--from <number>', 'number of the first statement', parseNumber)
    .option('--output <file>', 'file for the bundle', 'statements.bundle');
  askingService<BundleOptions>(bundle, terminal, async ({ args: [given], options }, api) => {
    const { host, owner, name } = given as RepositoryName;
    const { branch: targetBranch, from, output } = options;
    const query = { repo: `${owner}/${name}`, repoHost: host, targetBranch, ...(from && { from: String(from) }) };
    const bytes = await api.save(`/v1/attestations/bundle?${new URLSearchParams(query).toString()}`, output);
    return {
      data: { file: output, bytes },
      lines: [`Wrote ${output}: ${bytes} bytes.`],
      next: `sluice verify <folder of a clone> ${targetBranch} --key keys.json --bundle ${output}`,
    };
  });
}

function addKeys(attestation: Command, terminal: Terminal): void {
  const keys = attestation
    .command('keys')
    .description('the public keys of statements; keep the file apart from the bundle')
    .option('--output <file>', 'file for the keys, for `sluice verify --key`');
  askingService<KeysOptions>(keys, terminal, async ({ options: { output } }, api) => {
    const text = await api.text('/v1/attestations/keys');
    const data = JSON.parse(text) as KeysAnswer;
    if (output !== undefined) {
      writeFileSync(output, `${text}\n`);
    }
    const rows = data.keys.map(({ id, since, until, revokedFrom }) => [id, since, until ?? 'now', revokedFrom ?? '']);
    const lines = output === undefined ? [] : [`Wrote ${output}.`];
    return { data, lines: [...table([['KEY', 'SINCE', 'UNTIL', 'REVOKED FROM'], ...rows]), ...lines] };
  });
}
