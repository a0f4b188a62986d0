// Prints what two linters find in an OpenAPI document, as JSON. A process of its own: jest cannot load one of them.
//   node test/openapi/lint-document.mjs <file>
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';

const text = readFileSync(process.argv[2], 'utf8');

const config = await createConfig({ extends: ['recommended'] });
const redocly = (await lintFromString({ source: text, absoluteRef: 'openapi.json', config })).map(
  ({ ruleId, severity, message, location }) => {
    return { linter: 'redocly', rule: ruleId, severity, message, at: location?.[0]?.pointer ?? '' };
  },
);

const SEVERITIES = ['error', 'warn', 'info', 'hint'];
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas] });
const found = (await spectral.run(new spectralCore.Document(text, spectralParsers.Json))).map(
  ({ code, severity, message, path }) => {
    return { linter: 'spectral', rule: String(code), severity: SEVERITIES[severity], message, at: path.join('/') };
  },
);

console.log(JSON.stringify([...redocly, ...found]));
