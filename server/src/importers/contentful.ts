import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../shared/config.ts';
import { hasEntries, htmlOfContentful, partsOf, type RichContext, type RichNode } from './contentful-rich-text.ts';
import { earliest } from './published-on.ts';
import {
  entryKey,
  fieldId,
  Notes,
  objectOf,
  type Rules,
  readJson,
  type Source,
  type SourceAsset,
  type SourceEntry,
  type SourceField,
  type Values,
} from './source.ts';

/** The parts of the file of `contentful space export` that are read. */
interface Export {
  contentTypes?: ContentType[];
  entries?: Item<Record<string, Localized>>[];
  assets?: Item<{ title?: Localized; description?: Localized; file?: Localized }>[];
  locales?: { code: string; default?: boolean; fallbackCode?: string | null }[];
  tags?: { sys: { id: string }; name?: string }[];
  editorInterfaces?: {
    sys: { contentType?: { sys: { id: string } } };
    controls?: { fieldId: string; widgetId?: string }[];
  }[];
}

interface Sys {
  id: string;
  space?: { sys: { id: string } };
  contentType?: { sys: { id: string } };
  version?: number;
  publishedVersion?: number;
  publishedAt?: string;
  firstPublishedAt?: string;
  archivedVersion?: number;
}

interface Item<Fields> {
  sys: Sys;
  fields?: Fields;
  metadata?: { tags?: { sys: { id: string } }[] };
}

type Localized = Record<string, unknown>;

interface ContentType {
  sys: { id: string };
  name: string;
  description?: string | null;
  displayField?: string | null;
  fields: ContentField[];
}

interface Validation {
  in?: (string | number)[];
  unique?: boolean;
  size?: { min?: number | null; max?: number | null };
  range?: { min?: number | null; max?: number | null };
  regexp?: { pattern?: string; flags?: string | null };
  linkContentType?: string | string[];
}

interface ContentField {
  id: string;
  name: string;
  type: string;
  localized?: boolean;
  required?: boolean;
  omitted?: boolean;
  linkType?: string;
  items?: { type: string; linkType?: string; validations?: Validation[] };
  validations?: Validation[];
}

interface Link {
  sys?: { id?: string; linkType?: string };
}

/** Reads the file of `contentful space export --download-assets`. Files are in folders beside it, by host and path of their URL. */
export function readContentful(path: string): Source {
  const data = objectOf(readJson(path), path) as Export;
  if (!Array.isArray(data.contentTypes))
    throw new ConfigError(`${path} is no export of Contentful: it has no contentTypes`);
  return new ContentfulExport(path, data, data.contentTypes).read();
}

class ContentfulExport {
  readonly #path: string;
  readonly #data: Export;
  readonly #types: ReadonlyMap<string, ContentType>;
  readonly #notes = new Notes();
  readonly #main: string;
  readonly #locales: string[];
  readonly #entries: ReadonlyMap<string, Item<Record<string, Localized>>>;
  readonly #assets: ReadonlyMap<string, NonNullable<Export['assets']>[number]>;
  /** By content type and field. */
  readonly #widgets = new Map<string, string>();
  /** The rich texts in which entries stand among paragraphs, and the dates without times, by content type and field. */
  readonly #withEntries = new Set<string>();
  readonly #withTimes = new Set<string>();

  constructor(path: string, data: Export, types: ContentType[]) {
    this.#path = path;
    this.#data = data;
    this.#types = new Map(types.map((type) => [type.sys.id, type]));
    const locales = data.locales ?? [];
    this.#main = locales.find((each) => each.default)?.code ?? locales[0]?.code ?? 'en-US';
    this.#locales = locales.length > 0 ? locales.map(({ code }) => code) : [this.#main];
    this.#entries = new Map((data.entries ?? []).map((entry) => [entry.sys.id, entry]));
    this.#assets = new Map((data.assets ?? []).map((asset) => [asset.sys.id, asset]));
    for (const { sys, controls = [] } of data.editorInterfaces ?? []) {
      for (const { fieldId, widgetId = '' } of controls)
        this.#widgets.set(`${sys.contentType?.sys.id} ${fieldId}`, widgetId);
    }
    for (const { sys, fields = {} } of data.entries ?? []) {
      for (const [id, localized] of Object.entries(fields)) {
        for (const value of Object.values(localized ?? {})) {
          const at = `${sys.contentType?.sys.id} ${id}`;
          if (hasEntries(value)) this.#withEntries.add(at);
          if (typeof value === 'string' && value.includes('T')) this.#withTimes.add(at);
        }
      }
    }
  }

  read(): Source {
    const { entries = [], assets = [] } = this.#data;
    const types = [...this.#types.values()];
    const isLocalized =
      this.#locales.length > 1 && types.some(({ fields }) => fields.some(({ localized }) => localized));
    const fallbacks = (this.#data.locales ?? []).flatMap(({ code, fallbackCode }) =>
      fallbackCode ? [[code, fallbackCode] as const] : [],
    );
    return {
      notes: this.#notes,
      space: (entries[0] ?? assets[0])?.sys.space?.sys.id,
      collections: types.map((type) => ({
        id: type.sys.id,
        name: type.name,
        description: type.description || undefined,
        fields: type.fields.map((field) => this.#fieldOf(type, field)),
        displayFieldId: type.displayField ? fieldId(type.displayField) : undefined,
        publishing: true,
      })),
      assets: assets.flatMap((asset) => this.#assetOf(asset) ?? []),
      entries: entries.flatMap((entry) => this.#entryOf(entry) ?? []),
      ...(isLocalized && {
        locales: { default: this.#main, all: this.#locales, fallbacks: Object.fromEntries(fallbacks) },
      }),
    };
  }

  #assetOf({ sys, fields = {}, metadata }: NonNullable<Export['assets']>[number]): SourceAsset | undefined {
    const files = Object.entries(fields.file ?? {}) as [string, { url?: string; fileName?: string }][];
    const [, file] = files.find(([locale]) => locale === this.#main) ?? files[0] ?? [];
    if (!file?.url) {
      this.#notes.add('Assets without a file are left out.', { unit: 'file', name: sys.id });
      return undefined;
    }
    if (new Set(files.map(([, { url }]) => url)).size > 1) {
      this.#notes.add('Of files that differ by locale, that of the default locale is imported.', {
        unit: 'file',
        name: file.fileName,
      });
    }
    const url = file.url.replace(/^(https?:)?\/\//, '').split('?', 1)[0] ?? '';
    const folder = dirname(this.#path);
    const path = [join(folder, url), join(folder, decoded(url))].find((each) => existsSync(each));
    if (path === undefined) {
      const note = 'Files that are not in the export were left out; export with --download-assets.';
      this.#notes.add(note, { unit: 'file', name: file.fileName ?? sys.id });
      return undefined;
    }
    const texts: Record<string, string> = {};
    for (const [name, localized] of [
      ['title', fields.title],
      ['alt', fields.description],
    ] as const) {
      for (const [locale, text] of Object.entries(localized ?? {})) {
        if (typeof text === 'string' && text !== '') texts[locale === this.#main ? name : `${name}@${locale}`] = text;
      }
    }
    const tags = this.#tagsOf(metadata);
    const name = file.fileName ?? decoded(url.split('/').at(-1) ?? sys.id);
    return {
      id: sys.id,
      path,
      name,
      texts,
      urls: [url.split('/').slice(1).join('/')],
      ...(tags.length > 0 && { tags }),
    };
  }

  #tagsOf(metadata: Item<unknown>['metadata']): string[] {
    const names = new Map((this.#data.tags ?? []).map(({ sys, name }) => [sys.id, name ?? sys.id]));
    return (metadata?.tags ?? []).map(({ sys }) => names.get(sys.id) ?? sys.id);
  }

  #entryOf({ sys, fields = {}, metadata }: Item<Record<string, Localized>>): SourceEntry | undefined {
    const type = this.#types.get(sys.contentType?.sys.id ?? '');
    if (!type) {
      this.#notes.add('Entries of content types that are not in the export are left out.', { name: sys.id });
      return undefined;
    }
    const collection = type.sys.id;
    const { version = 0, publishedVersion } = sys;
    const isArchived = sys.archivedVersion !== undefined;
    if (isArchived) this.#notes.add('Archived entries are imported as drafts.', { collection });
    const isChanged = publishedVersion !== undefined && version > publishedVersion + 1;
    if (isChanged && !isArchived) {
      const note =
        'Published entries with unpublished changes are imported as drafts: the export has only their latest version. Publish them.';
      this.#notes.add(note, { collection, name: sys.id });
    }
    const tags = this.#tagsOf(metadata).length;
    if (tags > 0) this.#notes.add('Tags of entries are not imported.', { collection, unit: 'tag', count: tags });
    const values: Values = {};
    for (const field of type.fields) {
      for (const [locale, sent] of Object.entries(fields[field.id] ?? {})) {
        if (locale !== this.#main && !this.#isLocalized(field)) continue;
        const value = this.#read(type, field, sent);
        if (value === undefined || value === null) continue;
        values[this.#isLocalized(field) ? `${fieldId(field.id)}@${locale}` : fieldId(field.id)] = value;
      }
    }
    return {
      id: sys.id,
      collectionId: collection,
      values,
      isPublished: publishedVersion !== undefined && !isArchived && !isChanged,
      publishedOn: earliest([sys.firstPublishedAt ?? sys.publishedAt]),
    };
  }

  #isLocalized = ({ localized }: ContentField) => localized === true && this.#locales.length > 1;

  #fieldOf(type: ContentType, field: ContentField): SourceField {
    const isList = field.type === 'Array';
    const { type: kind, linkType, validations = [] } = isList && field.items ? field.items : field;
    const at = `${type.sys.id} ${field.id}`;
    const isUnique = validations.some(({ unique }) => unique) && !isList;
    const common = {
      id: fieldId(field.id),
      label: field.name || field.id,
      ...(field.required && !field.omitted && { required: true }),
      ...(isList && { repeated: true }),
      ...(this.#isLocalized(field) && { localized: true }),
      ...(isUnique && { unique: true }),
    };
    const rules = rulesOf(validations, isList ? (field.validations ?? []) : [], kind);
    const validation = Object.keys(rules).length > 0 ? { validation: rules } : {};
    const linked = validations.flatMap(({ linkContentType }) => linkContentType ?? []);
    const allowed = linked.filter((id) => this.#types.has(id));
    const collections = allowed.length > 0 ? allowed : [...this.#types.keys()];
    if (kind === 'Link') {
      const { unique: _, ...own } = common;
      return linkType === 'Asset'
        ? { ...own, ...validation, type: 'asset' }
        : { ...own, ...validation, type: 'text', collections };
    }
    if (kind === 'RichText') {
      const all = [...this.#types.keys()];
      if (!this.#withEntries.has(at)) return { ...common, type: 'text', format: 'richtext', collections: all };
      const text: SourceField = { id: 'text', label: 'Text', type: 'text', format: 'richtext', collections: all };
      const entry: SourceField = { id: 'entry', label: 'Entry', type: 'text', collections: all };
      const blocks = [
        { id: 'text', label: 'Text', fields: [text] },
        { id: 'entry', label: 'Entry', fields: [entry] },
      ];
      return { ...common, type: 'group', repeated: true, format: 'blocks', blocks };
    }
    if (kind === 'Location') return { ...common, type: 'text', format: 'point' };
    if (kind === 'Object' || kind === 'ResourceLink') return { ...common, type: 'text', format: 'json' };
    if (kind === 'Integer' || kind === 'Number') return { ...common, ...validation, type: 'number' };
    if (kind === 'Boolean') return { ...common, type: 'boolean' };
    if (kind === 'Date') return { ...common, type: this.#withTimes.has(at) ? 'timestamp' : 'date' };
    const choices = validations.find((each) => each.in)?.in?.map(String);
    if (kind === 'Symbol' && choices && choices.length > 0) {
      const { minLength: _, maxLength: __, pattern: ___, ...ofItems } = rules;
      const options = [...new Set(choices)].map((value) => ({ value, label: value }));
      return { ...common, ...(Object.keys(ofItems).length > 0 && { validation: ofItems }), type: 'select', options };
    }
    // The editor of long texts, unless another one is named.
    const isMarkdown = kind === 'Text' && ['', 'markdown'].includes(this.#widgets.get(at) ?? '');
    return { ...common, ...validation, type: 'text', ...(isMarkdown && { format: 'markdown' }) };
  }

  #read(type: ContentType, field: ContentField, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    if (field.type !== 'Array') return this.#scalar(type, field, field.type, value);
    const items = (value as unknown[]).map((each) => this.#scalar(type, field, field.items?.type ?? 'Symbol', each));
    return items.filter((each) => each !== undefined);
  }

  #scalar(type: ContentType, field: ContentField, kind: string, value: unknown): unknown {
    if (kind === 'Link') {
      const { id, linkType } = (value as Link).sys ?? {};
      if (id === undefined) return undefined;
      return (linkType ?? field.linkType ?? field.items?.linkType) === 'Asset' ? id : this.#keyOf(id);
    }
    if (kind === 'Location') {
      const { lat, lon } = value as { lat?: number; lon?: number };
      return { lat, lng: lon };
    }
    if (kind !== 'RichText') return value;
    const context = this.#richContext(type.sys.id);
    const { content = [] } = Object(value) as RichNode;
    if (!this.#withEntries.has(`${type.sys.id} ${field.id}`)) return { html: htmlOfContentful(content, context) };
    return partsOf(value).map((part) =>
      'entryId' in part
        ? { _block: 'entry', entry: this.#keyOf(part.entryId) }
        : { _block: 'text', text: { html: htmlOfContentful(part.nodes, context) } },
    );
  }

  #keyOf = (id: string) => entryKey(this.#entries.get(id)?.sys.contentType?.sys.id ?? '', id);

  #richContext(collection: string): RichContext {
    return {
      entry: (id) => {
        const entry = this.#entries.get(id);
        const type = this.#types.get(entry?.sys.contentType?.sys.id ?? '');
        if (!entry || !type) return undefined;
        const title = type.displayField ? entry.fields?.[type.displayField]?.[this.#main] : undefined;
        return { collectionId: type.sys.id, title: typeof title === 'string' ? title : id };
      },
      asset: (id) => {
        const { fields = {} } = this.#assets.get(id) ?? {};
        const file = fields.file?.[this.#main] as { contentType?: string } | undefined;
        const alt = fields.description?.[this.#main] ?? fields.title?.[this.#main];
        return { title: typeof alt === 'string' ? alt : '', isImage: file?.contentType?.startsWith('image/') ?? true };
      },
      note: (nodeType) =>
        this.#notes.add(`Parts of the type ${nodeType} in rich text become their text.`, { collection, unit: 'part' }),
    };
  }
}

function rulesOf(validations: readonly Validation[], ofList: readonly Validation[], kind: string): Rules {
  const rules: Rules = {};
  const isText = kind === 'Symbol' || kind === 'Text';
  for (const { size, range, regexp } of validations) {
    if (isText && size) {
      if (size.min != null) rules.minLength = size.min;
      if (size.max != null) rules.maxLength = size.max;
    }
    if ((kind === 'Integer' || kind === 'Number') && range) {
      if (range.min != null) rules.min = range.min;
      if (range.max != null) rules.max = range.max;
    }
    // Here the whole value has to match.
    if (isText && regexp?.pattern) rules.pattern = wholePattern(regexp.pattern, regexp.flags ?? '');
  }
  for (const { size } of ofList) {
    if (size?.min != null) rules.minItems = size.min;
    if (size?.max != null) rules.maxItems = size.max;
  }
  return rules;
}

/** A pattern that values contain as one that they match as a whole. */
export function wholePattern(pattern: string, flags = ''): string {
  const isWhole = /^\^.*\$$/s.test(pattern) && !pattern.includes('|') && !pattern.endsWith('\\$');
  const whole = isWhole ? pattern.slice(1, -1) : `(?s:.*)(?:${pattern})(?s:.*)`;
  return flags.includes('i') ? `(?i:${whole})` : whole;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
