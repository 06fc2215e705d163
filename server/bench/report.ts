export interface Row {
  result: string;
  /** The limit to compare with, measured in the same run. */
  limit?: string;
  ratio?: number;
  target?: string;
  failed?: number;
}

export interface Report {
  row(name: string, row: Row): void;
}

/** Prints rows as they are measured, as a Markdown table for docs/performance.md. */
export function createReport(): Report {
  console.log('| Measurement | Result | Limit, same run | Ratio | Target |\n|---|---|---|---|---|');
  return {
    row(name, { result, limit = '', ratio, target = '', failed = 0 }) {
      const suffix = failed > 0 ? ` (${failed} FAILED)` : '';
      console.log(
        `| ${name} | ${result}${suffix} | ${limit} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${target} |`,
      );
    },
  };
}
