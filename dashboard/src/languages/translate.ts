import { IntlMessageFormat } from 'intl-messageformat';
import { createElement, Fragment, type ReactNode } from 'react';
import { catalogue, LANGUAGE, LOCALE } from './language.ts';

/** Where English has one word for two, a note tells them apart: `Open|verb`. */
const NOTE = /\|[a-z]+$/;

/** What is put in the place of `{name}`; nothing for false, null and undefined. A function gets the text between `<name>` and `</name>`. */
type Values = Record<string, string | number | false | null | undefined>;
type RichValues = Record<string, ReactNode | ((text: ReactNode) => ReactNode)>;

const formats = new Map<string, IntlMessageFormat>();

function formatOf(message: string): IntlMessageFormat {
  let format = formats.get(message);
  if (format === undefined) {
    const text = catalogue[message];
    // Numbers are written as elsewhere on the page, and plurals are those of the language.
    const locale = text === undefined ? 'en' : LANGUAGE;
    format = new IntlMessageFormat(text ?? message, LOCALE?.startsWith(locale) ? LOCALE : locale);
    formats.set(message, format);
  }
  return format;
}

/**
 * An English text of the interface in the language of the person, in the message format of ICU:
 * `t('{count, plural, one {# entry} other {# entries}}', { count })`. Keys are the English texts as they are written here:
 * a literal, so that `dashboard/test/languages.test.ts` finds it.
 */
export function t(message: string, values?: Values): string {
  // Most texts have no placeholder, and need not be parsed.
  if (!/[{<]/.test(message)) return catalogue[message] ?? message.replace(NOTE, '');
  return String(formatOf(message).format(values));
}

/** Likewise, a text with elements: `rich('Read <a>the guide</a>.', { a: (text) => <a href="/guide">{text}</a> })`. */
export function rich(message: string, values: RichValues): ReactNode {
  const wrapped = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: ReactNode[]) => value(together(parts)) : value,
  ]);
  const parts = formatOf(message).format<ReactNode>(Object.fromEntries(wrapped));
  return Array.isArray(parts) ? together(parts) : parts;
}

/** As the children of one element, which need no keys. */
const together = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);

/** A label in the middle of a sentence: English ones begin small there, German nouns do not. */
export const inSentence = (label: string): string =>
  LANGUAGE === 'en' ? label.charAt(0).toLowerCase() + label.slice(1) : label;
