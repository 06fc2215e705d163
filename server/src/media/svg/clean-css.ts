import { isSafeValue } from './svg-rules.ts';

const PROPERTY = /^-{0,2}[a-z][\w-]*$/i;
const UNSAFE_PROPERTY = /^(?:behavior|-moz-binding)$/i;
const SELECTOR = /^[\w\s.#,:>*+~()[\]="^$|-]+$/;

/** The safe declarations of a `style` attribute or of a rule; empty if there are none. */
export function cleanDeclarations(text: string): string {
  return text
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const name = declaration.slice(0, colon).trim();
      const value = declaration.slice(colon + 1).trim();
      const isKnown = colon > 0 && PROPERTY.test(name) && !UNSAFE_PROPERTY.test(name);
      return isKnown && isSafeValue(value) ? [`${name}:${value}`] : [];
    })
    .join(';');
}

/** The safe rules of a style sheet: selectors with declarations. At-rules are dropped. Takes linear time. */
export function cleanStyleSheet(text: string): string {
  const css = withoutComments(text);
  const nextBrace = finder(css, '{');
  const nextSemicolon = finder(css, ';');
  const atRule = /\s*@/y;
  let out = '';
  let at = 0;
  while (at < css.length) {
    const open = nextBrace(at);
    atRule.lastIndex = at;
    if (nextSemicolon(at) < open && atRule.test(css)) {
      at = nextSemicolon(at) + 1;
      continue;
    }
    if (open === Number.POSITIVE_INFINITY) break;
    const close = endOfBlock(css, open);
    const selector = css.slice(at, open).trim();
    const body = css.slice(open + 1, close);
    const declarations = body.includes('{') ? '' : cleanDeclarations(body);
    if (declarations !== '' && SELECTOR.test(selector)) out += `${selector}{${declarations}}`;
    at = close + 1;
  }
  return out;
}

/** Finds the next `character` at or after ever larger positions, without searching any part of the text twice. */
function finder(text: string, character: string): (at: number) => number {
  let found = -1;
  return (at) => {
    if (found < at) {
      const index = text.indexOf(character, at);
      found = index < 0 ? Number.POSITIVE_INFINITY : index;
    }
    return found;
  };
}

/** An unclosed comment extends to the end. */
function withoutComments(text: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('/*', at);
    if (open < 0) return out + text.slice(at);
    out += `${text.slice(at, open)} `;
    const close = text.indexOf('*/', open + 2);
    if (close < 0) return out;
    at = close + 2;
  }
}

function endOfBlock(css: string, open: number): number {
  let depth = 0;
  for (let i = open; i < css.length; i++) {
    if (css[i] === '{') depth++;
    else if (css[i] === '}' && --depth === 0) return i;
  }
  return css.length;
}
