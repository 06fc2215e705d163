import { parseAst } from 'vite';

/** A node of the syntax tree (ESTree), and where it is. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

export interface Texts {
  /** The first arguments of `t` and `rich`. */
  keys: string[];
  /** Texts that people see, and no catalogue translates. */
  bare: string[];
  /** Calls whose text is not a literal, which nobody can translate. */
  computed: string[];
}

/** Attributes, and members of the same names, that are shown or read out. */
const SHOWN = new Set(
  'label title placeholder description aria-label aria-description aria-valuetext alt action submit cancel text hint note detail caption legend message error empty nothingFound question warning children tooltip closeButtonLabel noteLabel'.split(
    ' ',
  ),
);
/** Members and attributes of programs. */
const CODE =
  /^(className|classNames|class|style|styles|id|to|icon|color|c|variant|size|href|path|type|role|accept|d|viewBox|code|draft|queryKey|mutationKey|name|url|field|event|what|font\w*|display|background\w*|border\w*|flex|padding|margin|mask|transform|transition|gridTemplate\w*|lineHeight|sandbox|src|rel|target|download|template|attrs|select|collectionKey|prefix|method|headers|timeZone|w|h|sort|aria-(live|controls|labelledby|describedby))$/;
/** Functions that take words of programs. */
const CODE_CALL =
  /(?:^|\.)(includes|startsWith|endsWith|replace|replaceAll|split|join|has|get|set|test|indexOf|match|matchMedia|(add|remove)EventListener|createElement|querySelector(All)?|getItem|setItem|removeItem|execCommand|closest|matches|getQueryData|RegExp|(Range|Type)?Error|Intl\.\w+|format|ensureQueryData|createRoute|publicPage|found|reportViews|useLocalStorage)$/;

/** Written alike in every language: brands, formats, and words of code. */
const SAME =
  /^(Headwater|HTTP|Impact|Awin|ClickBank|TUNE \(HasOffers\)|Google Ads|Google Tag Manager|Meta|Microsoft Ads|Microsoft Advertising|TikTok|Taboola|Outbrain|LinkedIn|Pinterest|Snapchat|Reddit|AppLovin|OpenAI Ads|Amazon Ads|WordPress|Shopify|Webflow|Next\.js|HTML|JSON|Markdown|GraphQL|GraphiQL|CSV|curl|Node|PHP|Python|Ruby|ID|URL|API|EUR|ROAS|Slug|summer-sale|signup|de|ms|conversion imports|rejected requests|tracking settings|shared links|reconciliation lines|saved views|entry views|weekday of X|Stripe|PayPal|General )$/;

export const isText = (text: string) =>
  /\p{L}{2}/u.test(text) && !SAME.test(text) && !/^(https?:|\/blog\/|#|\S+@\S+$)/.test(text.trim());

/** Whether a text in no particular place is a sentence or a label, rather than a word of a program. */
function looksShown(text: string): boolean {
  const trimmed = text.trim();
  if (
    !isText(text) ||
    /^(var\(|calc\(|color-mix|curl |<|[./#@-]|[a-z]+\/|window\.)|\b(px|minmax|solid)\b|[=;]\w|\bnot\(|×/.test(trimmed)
  )
    return false;
  return (
    /^[A-Z][a-z’]+[.…:!?]?$/.test(trimmed) ||
    /^[“"‘(]?[A-Z0-9].*[ ’].*[a-z]{2}/.test(trimmed) ||
    /[a-z]{2,}[,.:;]? [a-z“(]/.test(trimmed)
  );
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** What the elements of a page say, as React joins the lines of their texts. */
const nameOf = (node: unknown): string => {
  const { name, value } = (isNode(node) ? node : {}) as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '';
};

/** Words in a list of which most are translated; by themselves they look like words of programs. */
function amongTexts(properties: readonly Node[]): string[] {
  const values = properties.map(({ value }) => value).filter(isNode);
  const translated = values.filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.name === 't',
  );
  if (translated.length < properties.length * 0.8) return [];
  return values.flatMap(({ value }) =>
    typeof value === 'string' && /^[\p{L} ]+$/u.test(value) && !looksShown(value) ? [value] : [],
  );
}

/** Finds the texts of a source file. */
export function textsOf(code: string, file: string): Texts {
  const texts: Texts = { keys: [], bare: [], computed: [] };
  const source = (node: Node) => code.slice(node.start, node.end);

  /** @param shown undefined where nothing is known about the place */
  function visit(node: unknown, shown: boolean | undefined): void {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, shown);
      return;
    }
    if (!isNode(node)) return;
    const each = (...names: string[]) => {
      for (const name of names) visit(node[name], shown);
    };
    if (/^TS(?!As|Satisfies|NonNull)|^(Import|ExportAll)/.test(node.type)) return;
    switch (node.type) {
      case 'JSXText':
        if (isText(String(node.value))) texts.bare.push(String(node.value).trim());
        return;
      case 'Literal': {
        const { value } = node;
        if (typeof value !== 'string' || shown === false) return;
        if (shown ? isText(value) : looksShown(value)) texts.bare.push(value);
        return;
      }
      case 'TemplateLiteral': {
        const quasis = (node.quasis as Node[]).map((quasi) => (quasi.value as { cooked?: string }).cooked ?? '');
        const text = quasis.join('X');
        if (shown !== false && !text.includes('\n') && quasis.some((part) => looksShown(part)) && looksShown(text))
          texts.bare.push(text);
        each('expressions');
        return;
      }
      case 'TaggedTemplateExpression':
        return;
      case 'JSXAttribute': {
        const name = nameOf(node.name);
        visit(node.value, SHOWN.has(name) ? true : CODE.test(name) ? false : undefined);
        return;
      }
      case 'Property': {
        const name = nameOf(node.key);
        visit(node.value, CODE.test(name) ? false : SHOWN.has(name) && shown !== false ? undefined : shown);
        return;
      }
      case 'PropertyDefinition':
        each('value');
        return;
      case 'JSXElement':
      case 'JSXFragment':
        visit(node.openingElement, undefined);
        for (const child of node.children as Node[])
          visit(child, child.type === 'JSXExpressionContainer' ? true : undefined);
        return;
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        visit(node.params, undefined);
        visit(node.body, undefined);
        return;
      case 'ObjectExpression':
        texts.bare.push(...amongTexts(node.properties as Node[]));
        visit(node.properties, shown === true ? undefined : shown);
        return;
      case 'ArrayExpression':
        visit(node.elements, shown === true ? undefined : shown);
        return;
      case 'BinaryExpression':
        if (node.operator === '+') each('left', 'right');
        return;
      case 'SwitchCase':
        each('consequent');
        return;
      case 'MemberExpression':
        each('object');
        return;
      case 'ConditionalExpression':
        visit(node.test, false);
        each('consequent', 'alternate');
        return;
      case 'CallExpression':
      case 'NewExpression': {
        const callee = source(node.callee as Node);
        const [first, ...others] = node.arguments as Node[];
        if (callee === 't' || callee === 'rich') {
          if (first?.type === 'Literal' && typeof first.value === 'string') texts.keys.push(first.value);
          else texts.computed.push(source(node).slice(0, 80));
          visit(others, undefined);
          return;
        }
        visit(node.callee, undefined);
        visit(node.arguments, CODE_CALL.test(callee) ? false : shown === true ? undefined : shown);
        return;
      }
      default:
        for (const [name, value] of Object.entries(node)) if (name !== 'type') visit(value, shown);
    }
  }

  visit((parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as { body: Node[] }).body, undefined);
  return texts;
}
