import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../..');
export const RULES = join(ROOT, 'docker/prometheus/alerts.yml');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  /** How long the condition must hold before the alert. If absent, the alert comes at once. */
  readonly for?: string;
  readonly labels: { readonly severity: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** The project's Prometheus rules. */
export const rules = (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

const dashboard = JSON.parse(readFileSync(join(ROOT, 'docker/grafana/dashboards/sluice.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
};

/** Grafana's queries, for all repositories and branches. Each query comes with the title of its panel. */
export const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replace(/\$(repo|branch)\b/g, '.*')] as const),
);

/** Names of metrics in a query. */
export function metricsIn(query: string): readonly string[] {
  return [...new Set([...query.matchAll(/\b(?:sluice|mq|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name))];
}

/** The title of the test that covers an alert. */
export function titleOfAlert(alert: string): string {
  return `can ask what ${alert} asks`;
}

export function titleOfPanel(panel: string): string {
  return `can ask for the panel "${panel}"`;
}
