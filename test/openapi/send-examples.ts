import type { Client } from '../e2e/client';
import type { Document } from './document';

export interface Sent {
  readonly sent: number;
  readonly successes: number;
  /** Answers that are neither a success nor an error that the document names. */
  readonly surprises: readonly string[];
}

/** Sends every example of the document unchanged. The deletion of the queue comes last. */
export async function sendExamples(document: Document, client: Client): Promise<Sent> {
  const surprises: string[] = [];
  let successes = 0;
  let sent = 0;
  const paths = Object.entries(document.paths);
  const isDeletion = ([path]: (typeof paths)[number]): number => Number(path === '/v1/deleteQueue');
  for (const [path, methods] of paths.sort((a, b) => isDeletion(a) - isDeletion(b))) {
    for (const example of Object.values(methods.post?.requestBody?.content['application/json']?.examples ?? {})) {
      const answer = await client.post(path.replace('/v1/', ''), example.value);
      sent += 1;
      if (answer.status === 200) successes += 1;
      const examples = methods.post?.responses[answer.status]?.content?.['application/json']?.examples ?? {};
      const isNamed = answer.status === 200 || Object.keys(examples).includes(answer.body.error?.code ?? '');
      if (!isNamed || answer.status === 400) surprises.push(`${path}: ${answer.status} ${answer.text}`);
    }
  }
  return { sent, successes, surprises };
}
