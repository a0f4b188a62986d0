import { type MakeBlock, markdownTable, rowsByCode } from './table';

export interface RegisteredMetric {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** Series with type and labels, without the labels that all of them have. People add rows, and write the last column. */
export function metricsBlock(registered: readonly RegisteredMetric[], common: readonly string[] = []): MakeBlock {
  return (present) => {
    const rows = [...rowsByCode(present)].flatMap(([name, cells]) => {
      const metric = registered.find((one) => one.name === name);
      if (metric === undefined || cells[0] !== `\`${name}\``) return [];
      const labels = metric.labelNames.filter((label) => !common.includes(label));
      return [[`\`${name}\``, metric.type, labels.map((label) => `\`${label}\``).join(', '), cells[3] ?? '']];
    });
    return markdownTable(['Series', 'Type', 'Labels', 'Meaning'], rows);
  };
}
