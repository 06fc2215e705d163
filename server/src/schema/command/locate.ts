import { tsPlugin } from '@sveltejs/acorn-typescript';
import { type Options, Parser } from 'acorn';
import { FileFault, type Position } from './file-fault.ts';

/** A node of the syntax tree, as far as it is read here. */
interface Node {
  type: string;
  loc: { start: Position };
  body?: Node[];
  declaration?: Node | null;
  declarations?: Node[];
  id?: Node;
  init?: Node | null;
  name?: string;
  value?: unknown;
  key?: Node;
  computed?: boolean;
  expression?: Node;
  arguments?: Node[];
  properties?: Node[];
  elements?: (Node | null)[];
}

const OPTIONS: Options = { sourceType: 'module', ecmaVersion: 'latest', locations: true };

/**
 * Finds the members of the schema that a file exports, by JSON Pointers: each is found where the file has it, or else what contains it
 * does. @throws FileFault with the position of what is no TypeScript
 */
export function positionsIn(source: string, isJson: boolean): (pointer: string) => Position | undefined {
  const program = parse(isJson ? `export default ${source}` : source, isJson ? 'export default '.length : 0);
  const names = new Map<string, Node>();
  let root: Node | undefined;
  for (const statement of program.body ?? []) {
    const declared = statement.type === 'VariableDeclaration' ? statement : statement.declaration;
    for (const { id, init } of declared?.declarations ?? [])
      if (id?.name !== undefined && init) names.set(id.name, init);
    if (statement.type === 'ExportDefaultDeclaration' && statement.declaration) root = statement.declaration;
  }
  const resolved = (node: Node | undefined, depth = 0): Node | undefined => {
    if (!node || depth > 20) return node;
    // `as const`, `satisfies`, a call such as `defineSchema({…})`, and names of constants.
    const inner =
      node.expression ?? node.arguments?.[0] ?? (node.type === 'Identifier' ? names.get(node.name ?? '') : undefined);
    return inner ? resolved(inner, depth + 1) : node;
  };
  return (pointer) => {
    let found = resolved(root);
    for (const segment of pointer.split('/').slice(1)) {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = memberOf(found, name);
      if (!next) break;
      found = resolved(next);
    }
    if (!found || pointer === '') return undefined;
    const { line, column } = found.loc.start;
    return { line, column: column + 1 - (isJson && line === 1 ? 'export default '.length : 0) };
  };
}

function parse(source: string, shift: number): Node {
  try {
    return Parser.extend(tsPlugin()).parse(source, OPTIONS) as unknown as Node;
  } catch (error) {
    const { message, loc } = error as Error & { loc?: Position };
    const at = loc && { line: loc.line, column: loc.column + 1 - (loc.line === 1 ? shift : 0) };
    throw new FileFault(message.replace(/ \(\d+:\d+\)$/, ''), at);
  }
}

function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (node?.type === 'ArrayExpression') {
    const elements = node.elements ?? [];
    // What is spread before an element moves it.
    const index = Number(name);
    return elements.slice(0, index + 1).some((each) => each?.type === 'SpreadElement')
      ? undefined
      : (elements[index] ?? undefined);
  }
  const property = node?.properties?.find(
    ({ key, computed }) => !computed && (key?.name === name || String(key?.value) === name),
  );
  return property?.value as Node | undefined;
}
