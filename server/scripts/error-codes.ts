/**
 * Writes the error codes that each operation can return to `error-codes.json`, for the API document. With `--check`, it fails if the file
 * is not up to date.
 *
 * The codes are those in the code that a route can reach: arguments for a parameter `code`, and values of `code` beside what
 * is wrong. Not found are those of the framework, that are composed, or behind an interface or a thread.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallExpression, Expression, NewExpression, Node } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API, type Symbol as CompilerSymbol, SymbolFlags } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'server/src/shared/http/error-codes.json');
const CODE = /^[a-z][a-z0-9_]*$/;

/** Codes of so many operations are listed once for all. */
const COMMON = 30;

/** A function, class or variable, or a file. */
interface Unit {
  codes: Set<string>;
  uses: Set<Node>;
}

/** @returns the codes by `operationId` */
function findErrorCodes(): Map<string, Set<string>> {
  const api = new API({ cwd: ROOT });
  const [project] = api.updateSnapshot({ openProjects: [join(ROOT, 'server/tsconfig.json')] }).getProjects();
  if (project === undefined) throw new Error('the compiler has not opened server/tsconfig.json');
  const { checker, program } = project;
  const units = new Map<Node, Unit>();
  const routes = new Map<string, Node>();
  const targets = new Map<CompilerSymbol, Node[]>();

  const unitsOf = (symbol: CompilerSymbol): Node[] =>
    targets.getOrInsertComputed(symbol, () => {
      const own = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return own.declarations.flatMap((handle) => {
        if (!/\/server\/src\//.test(handle.path)) return [];
        const node = handle.resolve(project);
        if (node === undefined) return [];
        let target: Node = is.isPropertyAssignment(node) ? node.initializer : node;
        while (is.isBindingElement(target) || is.isObjectBindingPattern(target)) target = target.parent;
        return [target];
      });
    });

  for (const file of program.getSourceFileNames()) {
    if (!/\/server\/src\/(?!shared\/http\/|.*\.test\.ts$)/.test(file)) continue;
    const source = program.getSourceFile(file);
    if (source === undefined) continue;
    const names: { node: Node; unit: Unit }[] = [];
    const sent: { node: CallExpression | NewExpression; unit: Unit }[] = [];
    const visit = (node: Node, within: Unit): void => {
      if (is.isTypeNode(node) || is.isInterfaceDeclaration(node) || is.isTypeAliasDeclaration(node)) return;
      if (is.isImportDeclaration(node) || is.isExportDeclaration(node)) return;
      let unit = within;
      if (isUnit(node) || calls.has(node)) {
        unit = { codes: new Set(), uses: new Set() };
        units.set(node, unit);
        const isMethod =
          is.isMethodDeclaration(node) || is.isGetAccessorDeclaration(node) || is.isSetAccessorDeclaration(node);
        if (!(isMethod && is.isClassDeclaration(node.parent))) within.uses.add(node);
      }
      if (is.isIdentifier(node) || is.isPrivateIdentifier(node)) names.push({ node, unit });
      if (is.isCallExpression(node) || is.isNewExpression(node)) sent.push({ node, unit });
      if (is.isPropertyAssignment(node) && nameOf(node) === 'code') {
        const beside = is.isObjectLiteralExpression(node.parent) ? node.parent.properties.map(nameOf) : [];
        if (['detail', 'pointer', 'must'].some((name) => beside.includes(name))) add(unit, node.initializer);
      }
      if (is.isVariableDeclaration(node) && nameOf(node) === 'code' && node.initializer) add(unit, node.initializer);
      node.forEachChild((child) => visit(child, unit));
    };
    const calls = new Set<Node>();
    const findRoutes = (node: Node, call: Node): void => {
      if (is.isPropertyAssignment(node) && nameOf(node) === 'operationId' && is.isStringLiteral(node.initializer)) {
        routes.set(node.initializer.text, call);
        calls.add(call);
      }
      node.forEachChild((child) => findRoutes(child, is.isCallExpression(node) ? node : call));
    };
    findRoutes(source, source);
    visit(source, { codes: new Set(), uses: new Set() });
    const symbols = names.length > 0 ? checker.getSymbolAtLocation(names.map(({ node }) => node)) : [];
    names.forEach(({ node, unit }, i) => {
      const symbol = is.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : symbols[i];
      if (symbol) for (const target of unitsOf(symbol)) unit.uses.add(target);
    });
    for (const { node, unit } of sent) {
      const args = node.arguments ?? [];
      if (!args.some((each) => codesIn(each).length > 0)) continue;
      const parameters = checker.getResolvedSignature(node)?.getParameters() ?? [];
      parameters.forEach(({ name }, i) => {
        const argument = args[i];
        if (name === 'code' && argument) add(unit, argument);
      });
    }
  }
  const found = new Map([...routes].map(([id, root]) => [id, reach(root, units)]));
  api.close();
  return found;
}

const isUnit = (node: Node): boolean =>
  is.isFunctionDeclaration(node) ||
  is.isFunctionExpression(node) ||
  is.isArrowFunction(node) ||
  is.isMethodDeclaration(node) ||
  is.isConstructorDeclaration(node) ||
  is.isGetAccessorDeclaration(node) ||
  is.isSetAccessorDeclaration(node) ||
  is.isClassDeclaration(node) ||
  is.isPropertyDeclaration(node) ||
  is.isVariableDeclaration(node);

const nameOf = (node: Node): string | undefined => (node as { name?: { text?: string } }).name?.text;

function add({ codes }: Unit, value: Expression): void {
  for (const code of codesIn(value)) codes.add(code);
}

/** The codes that an expression can be. */
function codesIn(value: Node): string[] {
  if (is.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(codesIn);
  return is.isStringLiteral(value) && CODE.test(value.text) ? [value.text] : [];
}

function reach(root: Node, units: ReadonlyMap<Node, Unit>): Set<string> {
  const seen = new Set([root]);
  const codes = new Set<string>();
  for (const node of seen) {
    const unit = units.get(node);
    for (const code of unit?.codes ?? []) codes.add(code);
    for (const use of unit?.uses ?? []) seen.add(use);
  }
  return codes;
}

const codes = findErrorCodes();
const counts = Map.groupBy(
  [...codes.values()].flatMap((each) => [...each]),
  (code) => code,
);
const isCommon = (code: string) => (counts.get(code)?.length ?? 0) >= COMMON;
const own = [...codes].map(([id, each]) => [id, [...each].filter((code) => !isCommon(code)).sort()] as const);
const operations = Object.fromEntries(own.filter(([, each]) => each.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
const text = `${JSON.stringify({ common: [...counts.keys()].filter(isCommon).sort(), operations }, null, 1)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('error-codes.json is out of date. Run npm run openapi.');
  process.exit(1);
}
