/// <reference path="./css-tree.d.ts" />
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import { tokenize } from 'css-tree/tokenizer';
import { ident } from 'css-tree/utils';
import { svgRefused } from '../media-errors.ts';
import { isSafeValue } from './svg-rules.ts';

const PROPERTY = /^-{0,2}[a-z][\w-]*$/i;
const UNSAFE_PROPERTY = /^(?:behavior|-moz-binding)$/i;
/** With escapes, which drawing programs write: a class of Illustrator can be `.\30 2d93889`. */
const SELECTOR = /^[\w\s.#,:>*+~()[\]="'^$|\\\u0080-\uffff-]+$/;

/** The tree that the parser makes of them takes up to 250 MB. */
const MAX_TOKENS = 1_500_000;

/** Called with each part that is left out. */
type OnRemoved = (part: string) => void;

/** The safe declarations of a `style` attribute; empty if there are none. */
export function cleanDeclarations(text: string, onRemoved: OnRemoved = () => {}): string {
  return declarationsOf(read(text, 'declarationList', onRemoved), onRemoved);
}

/** The safe rules of a style sheet: selectors with declarations. At-rules are left out. */
export function cleanStyleSheet(text: string, onRemoved: OnRemoved = () => {}): string {
  let out = '';
  for (const node of read(text, 'stylesheet', onRemoved)) {
    const selector = node.type === 'Rule' && node.prelude?.type === 'SelectorList' ? generate(node.prelude) : '';
    const isSafe = SELECTOR.test(selector);
    if (!isSafe && node.type !== 'Comment') onRemoved(node.type === 'Atrule' ? `@${node.name}` : generate(node));
    const declarations = isSafe ? declarationsOf(node.block?.children ?? [], onRemoved) : '';
    if (declarations !== '') out += `${selector}{${declarations}}`;
  }
  return out;
}

function read(text: string, context: 'stylesheet' | 'declarationList', onRemoved: OnRemoved): Iterable<CssNode> {
  let tokens = 0;
  tokenize(text, () => tokens++);
  if (tokens > MAX_TOKENS) throw svgRefused(`Its style sheet exceeds ${MAX_TOKENS} words and signs.`);
  try {
    return parse(text, { context, parseAtrulePrelude: false, parseCustomProperty: true }).children;
  } catch {
    // Brackets nested deeper than the parser can follow.
    onRemoved('style');
    return [];
  }
}

function declarationsOf(nodes: Iterable<CssNode>, onRemoved: OnRemoved): string {
  const kept: string[] = [];
  for (const node of nodes) {
    if (node.type !== 'Declaration') {
      if (node.type !== 'Comment') onRemoved(generate(node));
      continue;
    }
    const name = ident.decode(node.property);
    const value = generate(node.value);
    const isKnown = PROPERTY.test(name) && !UNSAFE_PROPERTY.test(name);
    const isKept =
      isKnown && value !== '' && (node.important === false || node.important === true) && isSafeValue(value);
    if (isKept) kept.push(`${name}:${value}${node.important ? '!important' : ''}`);
    else onRemoved(`${name}:${value}`);
  }
  return kept.join(';');
}
