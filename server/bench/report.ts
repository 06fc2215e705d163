export interface Row {
  result: string;
  /** What it is compared with, measured in the same run. */
  limit?: string;
  ratio?: number;
  target?: string;
  failed?: number;
}

export interface Report {
  row(name: string, row: Row): void;
}

/** Prints each row as it is known, as a Markdown table that can go into docs/performance.md. */
export function createReport(): Report {
  console.log('| what | result | limit, same run | ratio | target |\n|---|---|---|---|---|');
  return {
    row(name, { result, limit = '', ratio, target = '', failed = 0 }) {
      const suffix = failed > 0 ? ` (${failed} FAILED)` : '';
      console.log(
        `| ${name} | ${result}${suffix} | ${limit} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${target} |`,
      );
    },
  };
}
