import type { ExpandTree } from '../references/expand-tree.ts';

/** Adds to a tree every path that a query names in conditions and sort keys, whose references its result depends on. */
export function withNamedPaths(
  tree: ExpandTree | undefined,
  query: Readonly<Record<string, unknown>> & { where?: unknown; sort?: string | undefined },
): ExpandTree | undefined {
  const paths: string[][] = [];
  for (const name of Object.keys(query)) {
    const path = /^filter\[([^[\]]*)\]/.exec(name)?.[1];
    if (path?.includes('.')) paths.push(path.split('.'));
  }
  for (const key of query.sort?.split(',') ?? []) if (key.includes('.')) paths.push(key.replace(/:.*/, '').split('.'));
  collect(parsed(query.where), [], paths);
  if (paths.length === 0) return tree;
  const all = copyOf(tree ?? new Map());
  for (const path of paths) {
    let node = all;
    for (const name of path[0] === 'values' ? path.slice(1) : path) {
      const child: ExpandTree = node.get(name) ?? new Map();
      node.set(name, child);
      node = child;
    }
  }
  return all;
}

const copyOf = (tree: ExpandTree): ExpandTree => new Map([...tree].map(([name, below]) => [name, copyOf(below)]));

function parsed(where: unknown): unknown {
  if (typeof where !== 'string') return where;
  try {
    return JSON.parse(where);
  } catch {
    return undefined;
  }
}

const MAX_PATHS = 1_000;

/** The paths in conditions, also of rows and referenced entries within others. */
function collect(where: unknown, within: readonly string[], paths: string[][]): void {
  if (typeof where !== 'object' || where === null || paths.length > MAX_PATHS) return;
  if (Array.isArray(where)) {
    for (const item of where) collect(item, within, paths);
    return;
  }
  for (const [name, value] of Object.entries(where)) {
    const isGroup = name === 'and' || name === 'or' || name === 'not';
    const isQuantifier = name === 'some' || name === 'every' || name === 'none';
    const path = isGroup || isQuantifier ? within : [...within, ...name.split('.')];
    if (typeof value === 'object' && value !== null) collect(value, path, paths);
    else if (path.length > 2) paths.push(path.slice(0, -1));
  }
}
