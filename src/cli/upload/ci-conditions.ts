import { delimiter } from 'node:path';
import type { Environment } from '../../platform/config/environment';

const MOST_CHARACTERS = 255;
/**
 * Folders in which actions of GitHub, Gitea and Forgejo install tools: `/opt/hostedtoolcache/Python/3.12.4/x64/bin`.
 */
const TOOL = /[\\/]([A-Za-z][\w+-]*)[\\/](\d+\.\d+)[^\\/]*[\\/](?:x64|x86|arm64|armv7l|aarch64)(?:[\\/]|$)/;
/** Folders with Java on other systems: `/usr/lib/jvm/temurin-21-jdk-amd64`. */
const JAVA = /[\\/](?:[a-z]+-)*(?:java|jdk|jre|temurin|zulu|openjdk|corretto)-?(\d+(?:\.\d+)?)[^\\/]*$/i;

/**
 * Properties of the machine that a matrix usually varies: the image of the job, and tool versions up to the second
 * number, because the third number may change between two attempts. No variable of CI holds the values of a matrix, and
 * CI may give all jobs of a matrix the same name.
 *
 * @returns such as `node 22.13, python 3.12`
 */
export function machineConditions(env: Environment, nodeVersion = process.versions.node): string {
  const { PATH = '', pythonLocation, JAVA_HOME = '', CI_JOB_IMAGE: image } = env;
  const tools = [...PATH.split(delimiter), pythonLocation ?? '', JAVA_HOME].flatMap((folder) => {
    const [, name = '', version] = TOOL.exec(folder) ?? [];
    // Node is listed once, with the version of this process; PATH may name a different version.
    return version === undefined || /^node$/i.test(name) ? [] : [`${name.toLowerCase()} ${version}`];
  });
  const java = JAVA.exec(JAVA_HOME)?.[1];
  const node = nodeVersion.split('.').slice(0, 2).join('.');
  const all = [`node ${node}`, ...tools, ...(java === undefined ? [] : [`java ${java}`]), ...(image ? [image] : [])];
  return [...new Set(all)].sort().join(', ').slice(0, MOST_CHARACTERS);
}
