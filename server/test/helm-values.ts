/** Which values the templates of a Helm chart use, found without rendering them. */
type Values = Record<string, unknown>;

interface Uses {
  /** Paths such as `backup.url`. */
  used: string[];
  /** Those that the values lack. */
  missing: string[];
  unused: string[];
  /** Templates that are included and defined nowhere. */
  undefinedTemplates: string[];
}

const ACTION = /\{\{-?\s*(?:\/\*[\s\S]*?\*\/|([^{}]*?))\s*-?\}\}/g;
const OPENS = /^(if|with|range|define|block)\b/;

/** @throws for an action that is not closed */
export function usesOf(values: Values, templates: Record<string, string>): Uses {
  const used = new Set<string>();
  const included = new Set<string>();
  const defined = new Set<string>();
  for (const [name, text] of Object.entries(templates)) {
    const rest = text.replace(ACTION, '');
    if (/\{\{|\}\}/.test(rest)) throw new Error(`${name}: an action is not closed`);
    // What `.` is within each action: a path, '' for the root, undefined if it is no value of the chart.
    const dots: (string | undefined)[] = [];
    for (const [, action = ''] of text.matchAll(ACTION)) {
      for (const [, template = ''] of action.matchAll(/\binclude "([^"]+)"/g)) included.add(template);
      const [, definition] = /^define "([^"]+)"/.exec(action) ?? [];
      if (definition !== undefined) defined.add(definition);
      const dot = dots.length === 0 ? '' : dots.at(-1);
      const paths = pathsIn(action, dot);
      const isWith = action.startsWith('with ');
      for (const path of paths) if (!isWith || isLeaf(valueAt(values, path))) used.add(path);
      if (action === 'end') {
        if (dots.length === 0) throw new Error(`${name}: an end without an action`);
        dots.pop();
      } else if (isWith) dots.push(paths[0]);
      else if (action.startsWith('range ')) dots.push(undefined);
      else if (OPENS.test(action)) dots.push(dot);
    }
    if (dots.length > 0) throw new Error(`${name}: an action lacks its end`);
  }
  const isUsed = (path: string) => [...used].some((each) => path === each || path.startsWith(`${each}.`));
  return {
    used: [...used],
    missing: [...used].filter((path) => valueAt(values, path) === undefined),
    unused: leavesOf(values).filter((path) => !isUsed(path)),
    undefinedTemplates: [...included.difference(defined)],
  };
}

function pathsIn(action: string, dot: string | undefined): string[] {
  const plain = action.replace(/"[^"]*"/g, '""');
  return [...plain.matchAll(/(?<![\w)])\$?\.(\w+(?:\.\w+)*)/g)].flatMap(([, path = '']) => {
    if (path.startsWith('Values.')) return path.slice('Values.'.length);
    // Built-in objects, such as `.Release.Name`, begin with a capital.
    if (/^[A-Z]/.test(path) || dot === undefined) return [];
    return dot === '' ? path : `${dot}.${path}`;
  });
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLeaf = (value: unknown): boolean => !isMap(value) || Object.keys(value).length === 0;

function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), values);
}

function leavesOf(values: Values, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isMap(value) && !isLeaf(value) ? leavesOf(value, `${prefix}${name}.`) : `${prefix}${name}`,
  );
}
