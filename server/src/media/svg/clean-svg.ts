import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ApiError } from '../../shared/errors.ts';
import { corruptFile, isSystemError, svgRefused } from '../media-errors.ts';
import { cleanDeclarations, cleanStyleSheet } from './clean-css.ts';
import {
  DRAWING,
  ELEMENTS,
  isSafeAttribute,
  isSafeLink,
  SVG_NAMESPACE,
  UNWRAPPED,
  XLINK_NAMESPACE,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
} from './svg-rules.ts';
import { svgSize } from './svg-size.ts';
import { UseGraph } from './use-graph.ts';
import { xmlEncoding } from './xml-encoding.ts';

const MAX_DEPTH = 200;
const MAX_ELEMENTS = 200_000;
const CHUNK_BYTES = 65_536;
const MAX_REMOVED = 100;
const MAX_REMOVED_LENGTH = 100;

interface CleanSvg {
  bytes: number;
  sha256: Buffer;
  width: number;
  height: number;
  /** Names of elements and attributes, and parts of styles, that are left out. */
  removed: string[];
}

/**
 * Parses the SVG at `from` and writes to `to` only what is known to be harmless: allowlisted drawing elements and
 * attributes, references within the document, and embedded raster images.
 * @throws ApiError 400 `file_corrupt` if it is not well-formed XML, `svg_refused` if it draws nothing or too much
 */
export async function cleanSvg(from: string, to: string): Promise<CleanSvg> {
  const cleaner = new SvgCleaner();
  const hash = createHash('sha256');
  const file = await open(to, 'wx');
  let bytes = 0;
  const write = async (text: string) => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  };
  try {
    let decoder: TextDecoder | undefined;
    for await (const chunk of createReadStream(from, { highWaterMark: CHUNK_BYTES })) {
      decoder ??= new TextDecoder(xmlEncoding(chunk as Buffer), { fatal: true });
      await write(cleaner.read(decoder.decode(chunk as Buffer, { stream: true })));
    }
    await write(cleaner.end(decoder?.decode() ?? ''));
  } catch (error) {
    if (error instanceof ApiError || isSystemError(error)) throw error;
    const { code, message } = error as { code?: string; message: string };
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not text in the encoding it names' : message;
    throw corruptFile(error, `The SVG is not well-formed XML: ${reason.replace(/\.$/, '')}.`);
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest(), ...cleaner.size, removed: cleaner.removed };
}

class SvgCleaner {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #uses = new UseGraph(MAX_ELEMENTS);
  /** For each open element: the name to write, `unwrap` to keep only its content, or undefined to drop it. */
  readonly #open: (string | 'unwrap' | undefined)[] = [];
  /** How many open elements are being dropped with their content. */
  #dropped = 0;
  #style: string | undefined;
  #out = '';
  #draws = false;
  readonly #removed = new Set<string>();
  size = { width: 0, height: 0 };

  get removed(): string[] {
    return [...this.#removed];
  }

  readonly #onRemoved = (part: string) => {
    if (this.#removed.size < MAX_REMOVED) this.#removed.add(part.slice(0, MAX_REMOVED_LENGTH).toWellFormed());
  };

  constructor() {
    this.#parser.on('error', (error) => {
      throw error;
    });
    this.#parser.on('doctype', (doctype) => {
      if (doctype.includes('[')) throw svgRefused('It declares custom entities. Remove the internal DTD.');
    });
    this.#parser.on('opentag', (tag) => this.#openTag(tag));
    this.#parser.on('closetag', () => this.#closeTag());
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  /** Parses more of the document and returns the output so far. */
  read(text: string): string {
    this.#parser.write(text);
    const out = this.#out;
    this.#out = '';
    return out;
  }

  end(text: string): string {
    const out = this.read(text);
    this.#parser.close();
    if (!this.#draws) throw svgRefused('It contains nothing to draw once unsafe content is removed.');
    if (this.#uses.isTooLarge()) throw svgRefused('Its <use> elements form a cycle or expand to too many elements.');
    return out + this.#out;
  }

  #openTag(tag: SaxesTagNS): void {
    if (this.#open.length >= MAX_DEPTH) throw svgRefused(`Its elements are nested more than ${MAX_DEPTH} levels deep.`);
    const isRoot = this.#open.length === 0;
    if (isRoot && tag.local !== 'svg') throw svgRefused('Its root element is not <svg>.');
    const isSvg = tag.uri === SVG_NAMESPACE || tag.uri === '';
    const isKnown = isSvg && (ELEMENTS.has(tag.local) || UNWRAPPED.has(tag.local));
    if (this.#dropped > 0 || !isKnown || this.#style !== undefined) {
      if (this.#dropped === 0) this.#onRemoved(`<${tag.name}>`);
      this.#dropped++;
      this.#open.push(undefined);
      return;
    }
    if (UNWRAPPED.has(tag.local)) {
      this.#onRemoved(`<${tag.name}>`);
      this.#open.push('unwrap');
      return;
    }
    this.#open.push(tag.local);
    this.#draws ||= DRAWING.has(tag.local);
    if (tag.local === 'style') {
      this.#style = '';
      return;
    }
    this.#out += `<${tag.local}${isRoot ? ` xmlns="${SVG_NAMESPACE}" xmlns:xlink="${XLINK_NAMESPACE}"` : ''}`;
    const kept = this.#attributes(tag);
    for (const [name, value] of kept) this.#out += ` ${name}="${escapeAttribute(value)}"`;
    this.#out += '>';
    const attributes = Object.fromEntries(kept);
    if (isRoot) this.size = svgSize(attributes);
    const link = tag.local === 'use' ? (attributes.href ?? attributes['xlink:href']) : undefined;
    if (!this.#uses.open(attributes.id, link?.trim().slice(1))) {
      throw svgRefused(`It contains more than ${MAX_ELEMENTS} elements.`);
    }
  }

  #attributes(tag: SaxesTagNS): [name: string, value: string][] {
    return Object.values(tag.attributes).flatMap(({ uri, local, name, value }): [string, string][] => {
      if (local === 'style' && uri === '') {
        const style = cleanDeclarations(value, this.#onRemoved);
        return style === '' ? [] : [['style', style]];
      }
      const isLink = local === 'href' && (uri === '' || uri === XLINK_NAMESPACE);
      if (isLink && isSafeLink(tag.local, value)) return [[uri === '' ? 'href' : 'xlink:href', value]];
      if (uri === XML_NAMESPACE && (local === 'space' || local === 'lang')) return [[`xml:${local}`, value]];
      if (uri === '' && !isLink && isSafeAttribute(local, value)) return [[local, value]];
      if (uri !== XMLNS_NAMESPACE) this.#onRemoved(name);
      return [];
    });
  }

  #closeTag(): void {
    const name = this.#open.pop();
    if (name === undefined) this.#dropped--;
    else if (name === 'style') {
      const sheet = cleanStyleSheet(this.#style ?? '', this.#onRemoved);
      if (sheet !== '') this.#out += `<style>${escapeText(sheet)}</style>`;
      this.#style = undefined;
    } else if (name !== 'unwrap') {
      this.#uses.close();
      this.#out += `</${name}>`;
    }
  }

  #text(text: string): void {
    if (this.#style !== undefined && this.#dropped === 0) this.#style += text;
    else if (this.#dropped === 0 && this.#open.length > 0) this.#out += escapeText(text);
  }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
