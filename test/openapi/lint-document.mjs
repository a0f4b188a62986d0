// Prints Redocly's findings in an OpenAPI document as JSON. This program is a process of its own, because jest cannot
// load Redocly. node test/openapi/lint-document.mjs <file>
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Rules that the preset `recommended` switches off. */
const RULES = {
  'info-contact': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-required-schema-properties-undefined': 'error',
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
};

const config = await createConfig({ extends: ['recommended'], rules: RULES });
const source = readFileSync(process.argv[2], 'utf8');
const findings = await lintFromString({ source, absoluteRef: 'openapi.json', config });
console.log(
  JSON.stringify(
    findings.map(({ ruleId, severity, message, location }) => {
      return { rule: ruleId, severity, message, at: location?.[0]?.pointer ?? '' };
    }),
  ),
);
