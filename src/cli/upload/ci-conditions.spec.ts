import { machineConditions } from './ci-conditions';

describe('the conditions of a CI job', () => {
  it.each([
    ['the Node that runs the command', {}, 'node 22.13'],
    ['the image of a GitLab job', { CI_JOB_IMAGE: 'python:3.12' }, 'node 22.13, python:3.12'],
    [
      'the tools that an action put into PATH, once each',
      { PATH: '/opt/hostedtoolcache/Python/3.12.4/x64/bin:/opt/hostedtoolcache/Python/3.12.4/x64:/usr/bin' },
      'node 22.13, python 3.12',
    ],
    ['the tools of Gitea', { PATH: '/root/.cache/tools/go/1.24.1/arm64/bin:/usr/bin' }, 'go 1.24, node 22.13'],
    ['no Node that is only in PATH and not used', { PATH: '/opt/hostedtoolcache/node/18.20.4/x64/bin' }, 'node 22.13'],
    [
      'a Python that is not in PATH',
      { pythonLocation: '/opt/hostedtoolcache/PyPy/3.10.14/x64' },
      'node 22.13, pypy 3.10',
    ],
    ['the Java of the machine', { JAVA_HOME: '/usr/lib/jvm/temurin-21-jdk-amd64' }, 'java 21, node 22.13'],
    [
      'the Java of an action',
      { JAVA_HOME: '/opt/hostedtoolcache/Java_Temurin-Hotspot_jdk/21.0.4-7/x64' },
      'java_temurin-hotspot_jdk 21.0, node 22.13',
    ],
    ['nothing of folders without versions', { PATH: '/usr/local/bin:/usr/bin', JAVA_HOME: '/opt/java' }, 'node 22.13'],
  ])('include %s', (_what, env, expected) => expect(machineConditions(env, '22.13.1')).toBe(expected));

  it('are at most 255 characters', () => {
    expect(machineConditions({ CI_JOB_IMAGE: 'x'.repeat(500) }, '22.13.1')).toHaveLength(255);
  });
});
