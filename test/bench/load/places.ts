/** The simulated host, with a repository for each queue. Queues are numbered from 0. */
export const HOST = 'simulated.example';
export const OWNER = 'acme';
export const nameOf = (queue: number): string => `project-${queue}`;
export const queueNamed = (name: string): number => Number(name.replace('project-', ''));

export function queueOf(queue: number) {
  return { repo: { host: HOST, owner: OWNER, name: nameOf(queue) }, targetBranch: 'main' };
}
