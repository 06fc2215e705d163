import type { Notes, Rules, Source, SourceCollection, SourceEntry, SourceField, Values } from './source.ts';

/**
 * Collections without the rules that entries break which are live: other systems apply rules to what is written, not to what was written before, and
 * such entries could not be published here.
 */
export function rulesThatHold({ collections, entries, assets, locales, notes }: Source): SourceCollection[] {
  const files = new Set(assets.map(({ id }) => id));
  const byCollection = Map.groupBy(entries, ({ collectionId }) => collectionId);
  return collections.map((collection) => {
    const live = (byCollection.get(collection.id) ?? []).filter(
      ({ isPublished }) => isPublished || !collection.publishing,
    );
    const groups = live.flatMap((entry) =>
      groupsOf(entry, locales?.default).map((values, i) => ({ entry, values, isOther: i > 0 })),
    );
    return {
      ...collection,
      fields: relaxed(collection.fields, groups, { files, notes, collection: collection.id }, ''),
    };
  });
}

interface Group {
  entry: SourceEntry;
  values: Values;
  /** Of another locale, which has only localized fields. */
  isOther: boolean;
}

/** The values of each locale that an entry has, by the ids of fields; first those of the default locale, with those of no locale. */
function groupsOf({ values }: SourceEntry, main: string | undefined): Values[] {
  const groups = new Map<string, Values>([['', {}]]);
  for (const [name, value] of Object.entries(values)) {
    const [id = '', locale = ''] = name.split('@');
    const key = locale === main ? '' : locale;
    groups.set(key, { ...groups.get(key), [id]: value });
  }
  return [...groups.values()];
}

function relaxed(
  fields: readonly SourceField[],
  groups: readonly Group[],
  context: { files: ReadonlySet<string>; notes: Notes; collection: string },
  at: string,
): SourceField[] {
  return fields.map((field) => {
    const { required, unique, fields: inner, blocks, validation, ...others } = field;
    const needed = groups.filter(({ isOther }) => required && (field.localized || !isOther));
    const lacking = new Set(
      needed.flatMap(({ entry, values }) => (isEmpty(presentValue(field, values, context.files)) ? entry : [])),
    );
    const name = `${at}${field.id}`;
    if (lacking.size > 0) {
      const note = `"${name}" is not required here: entries that are live lack it.`;
      context.notes.add(note, { collection: context.collection, count: lacking.size });
    }
    const rules = heldRules(field, groups, (rule, count) => {
      const note = `"${name}" has no rule ${rule} here: entries that are live break it.`;
      context.notes.add(note, { collection: context.collection, count });
    });
    const repeated = unique ? countRepeated(groups.flatMap(({ values }) => values[field.id] ?? [])) : 0;
    if (repeated > 0) {
      const note = `"${name}" is not unique here: entries that are live have the same value.`;
      context.notes.add(note, { collection: context.collection, unit: 'value', count: repeated });
    }
    const rowsOf = (block?: string) =>
      groups.flatMap(({ entry, values }) =>
        [values[field.id] ?? []]
          .flat()
          .filter((row) => block === undefined || (row as Values)._block === block)
          .map((row) => ({ entry, values: row as Values, isOther: false })),
      );
    return {
      ...others,
      ...(required && lacking.size === 0 && { required }),
      ...(unique && repeated === 0 && { unique }),
      ...(Object.keys(rules).length > 0 && { validation: rules }),
      ...(inner && { fields: relaxed(inner, rowsOf(), context, `${name}.`) }),
      ...(blocks && {
        blocks: blocks.map((block) => ({
          ...block,
          fields: relaxed(block.fields, rowsOf(block.id), context, `${name}.${block.id}.`),
        })),
      }),
    };
  });
}

/** How many values occur more than once. */
function countRepeated(values: readonly unknown[]): number {
  const texts = values.map(String);
  return [...Map.groupBy(texts, (text) => text).values()].filter((same) => same.length > 1).length;
}

/** Without files that are not in the export. */
function presentValue({ id, type }: SourceField, values: Values, files: ReadonlySet<string>): unknown {
  const value = values[id];
  return type === 'asset' ? [value ?? []].flat().filter((each) => files.has(String(each))) : value;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function heldRules(
  { id, validation = {} }: SourceField,
  groups: readonly Group[],
  tell: (rule: string, count: number) => void,
): Rules {
  const broken = Object.keys(validation).filter((rule) => {
    const breaks = BREAKS[rule as keyof Rules](validation);
    const entries = new Set(groups.flatMap(({ entry, values }) => (breaks(values[id]) ? entry : [])));
    if (entries.size > 0) tell(rule, entries.size);
    return entries.size > 0;
  });
  return Object.fromEntries(Object.entries(validation).filter(([rule]) => !broken.includes(rule)));
}

type Breaks = (value: unknown) => boolean;

const ofItems =
  (breaks: (item: string | number) => boolean): Breaks =>
  (value) =>
    [value ?? []]
      .flat()
      .some((item) => item !== '' && (typeof item === 'string' || typeof item === 'number') && breaks(item));

/** As the service counts them: characters are code points. */
const lengthOf = (text: string | number) => [...String(text)].length;

const BREAKS: Record<keyof Rules, (rules: Rules) => Breaks> = {
  min: ({ min }) => ofItems((item) => Number(item) < Number(min)),
  max: ({ max }) => ofItems((item) => Number(item) > Number(max)),
  minLength: ({ minLength = 0 }) => ofItems((item) => lengthOf(item) < minLength),
  maxLength: ({ maxLength = 0 }) => ofItems((item) => lengthOf(item) > maxLength),
  pattern: ({ pattern = '' }) => {
    const whole = patternOf(pattern);
    return ofItems((item) => whole?.test(String(item)) === false);
  },
  minItems:
    ({ minItems = 0 }) =>
    (value) =>
      Array.isArray(value) && value.length > 0 && value.length < minItems,
  maxItems:
    ({ maxItems = 0 }) =>
    (value) =>
      Array.isArray(value) && value.length > maxItems,
};

/** Undefined if only the service can read it. */
function patternOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return undefined;
  }
}
