import type { HostConfig } from './config';
import { lookupNameOf } from './lookup-name';

const host = (name: string, kind: string): HostConfig => ({ host: name, kind, pollSeconds: 5, settings: {} });
const HOSTS = [host('github.com', 'github'), host('git.example', 'git')];

describe('the name by which a repository is found', () => {
  it.each([
    ['in any letter case on GitHub', 'github.com', 'acme/widgets'],
    ['exactly as it is on plain git', 'git.example', 'Acme/Widgets'],
    ['exactly as it is on a host that is not configured', 'elsewhere.example', 'Acme/Widgets'],
  ])('is taken %s', (_, where, expected) => {
    expect(lookupNameOf({ host: where, owner: 'Acme', name: 'Widgets' }, HOSTS)).toBe(expected);
  });
});
