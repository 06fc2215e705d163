/** What is used of css-tree, which has no types of its own. */

interface CssNode {
  type: string;
  name: string;
  property: string;
  important: boolean | string;
  prelude: CssNode | null;
  block: CssNode | null;
  value: CssNode;
  children: Iterable<CssNode>;
}

declare module 'css-tree/parser' {
  export default function parse(
    text: string,
    options: { context: 'stylesheet' | 'declarationList'; parseAtrulePrelude: false; parseCustomProperty: true },
  ): CssNode;
}

declare module 'css-tree/generator' {
  export default function generate(node: CssNode): string;
}

declare module 'css-tree/tokenizer' {
  export function tokenize(text: string, onToken: () => void): void;
}

declare module 'css-tree/utils' {
  export const ident: { decode(text: string): string };
}
