import { describeBuild, serviceBuild } from './service-version';

const BUILD = {
  version: '1.2.0',
  commit: '1a2b3c4d5e6f+changed',
  sources: '9f8e7d6c5b4a',
  builtAt: '2026-11-28T04:20:00.000Z',
};

describe('describeBuild', () => {
  it('names version, commit, sources and date', () => {
    expect(describeBuild(BUILD)).toBe(
      '1.2.0 (commit 1a2b3c4d5e6f+changed, sources 9f8e7d6c5b4a, built 2026-11-28T04:20:00.000Z)',
    );
  });

  it('leaves out the commit of a build without git', () => {
    expect(describeBuild({ ...BUILD, commit: null })).toBe(
      '1.2.0 (sources 9f8e7d6c5b4a, built 2026-11-28T04:20:00.000Z)',
    );
  });

  it('names only the version if there is no build information', () => {
    const { version, ...build } = serviceBuild();
    expect(build).toEqual({ commit: null, sources: null, builtAt: null });
    expect(describeBuild(serviceBuild())).toBe(version);
  });
});
