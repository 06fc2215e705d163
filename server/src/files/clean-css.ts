import { isSafeValue } from './svg-rules.ts';

/** The safe declarations of a `style` attribute or of a rule; empty where there is none. */
export function cleanDeclarations(text: string): string {
  return text
    .split(';')
    .flatMap((each) => {
      const colon = each.indexOf(':');
      const name = each.slice(0, colon).trim();
      const value = each.slice(colon + 1).trim();
      const isKnown = colon > 0 && /^-{0,2}[a-z][\w-]*$/i.test(name) && !/^(?:behavior|-moz-binding)$/i.test(name);
      return isKnown && isSafeValue(value) ? [`${name}:${value}`] : [];
    })
    .join(';');
}

/** The safe rules of a style sheet: selectors with declarations. Rules that begin with @ go, whatever they are. */
export function cleanStyleSheet(text: string): string {
  const css = withoutComments(text);
  let out = '';
  let at = 0;
  while (at < css.length) {
    const open = css.indexOf('{', at);
    const semicolon = css.indexOf(';', at);
    const isStatement = css.slice(at).trimStart().startsWith('@') && semicolon >= 0 && (open < 0 || semicolon < open);
    if (isStatement) {
      at = semicolon + 1;
      continue;
    }
    if (open < 0) break;
    const close = endOfBlock(css, open);
    const selector = css.slice(at, open).trim();
    const body = css.slice(open + 1, close);
    const declarations = body.includes('{') ? '' : cleanDeclarations(body);
    if (/^[\w\s.#,:>*+~()[\]="^$|-]+$/.test(selector) && declarations !== '') out += `${selector}{${declarations}}`;
    at = close + 1;
  }
  return out;
}

/** A comment that does not end takes the rest with it. */
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
