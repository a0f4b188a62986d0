/**
 * Takes the deliveries that the service understands out of GitHub's description of its webhooks:
 *   npm pack @octokit/openapi-webhooks@<version>, unpack it anywhere, then
 *   node -r ./test/bench/typescript.cjs test/contract/github/extract-webhooks.ts <folder>/generated/api.github.com.json
 */
import type { Schema } from './contract-file';
import { readDescription, schemasOf, writeFixture, type Json } from './extraction';
import { referencesIn, toJsonSchema } from './json-schema';
import { DELIVERIES, type WebhooksFile } from './webhook-contract';

export function extractWebhooks(document: Json, source: string): WebhooksFile {
  const described = document.webhooks as Record<string, { post: Json }>;
  const deliveries = Object.fromEntries(
    DELIVERIES.map((delivery) => {
      const found = described[delivery.replace('.', '-').replaceAll('_', '-')];
      if (found === undefined) throw new Error(`GitHub's description has no delivery ${delivery}`);
      const body = found.post.requestBody as { content: Record<string, { schema: Schema }> };
      return [delivery, toJsonSchema(body.content['application/json']?.schema)];
    }),
  );
  return { source, deliveries, schemas: schemasOf(document, referencesIn(deliveries)) };
}

function main([file]: readonly string[]): void {
  const { document, source } = readDescription(file);
  process.stdout.write(writeFixture('webhooks.json', extractWebhooks(document, source)));
}

if (require.main === module) main(process.argv.slice(2));
