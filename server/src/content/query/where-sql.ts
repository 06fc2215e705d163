import { DIGITS, ROW, SECTION_END, SEPARATOR, sectionStart } from '../entries/index-entry.ts';
import { keyCondition, keysOf, type ListingParameters } from '../listing/key-sql.ts';
import type { PublishingState, SystemColumn, TextMatch, Where } from './where.ts';

/** What a condition is about: an entry, or a row of it. */
interface Subject {
  /** The table alias of the entry. */
  entry: string;
  /** Has `sort_keys`: the entry, or a row of a repeated group. */
  keys: string;
  isRow: boolean;
  /** Of the entry. */
  texts: string;
  isPublished: boolean;
}

/** A condition of a query as SQL, about the entry `alias`. It is never null. */
export function whereSql(
  parameters: ListingParameters,
  where: Where,
  alias: string,
  isPublished = parameters.entries === 'published_entries',
): string {
  const texts = isPublished ? 'published_texts' : 'entry_texts';
  const subject = { entry: alias, keys: alias, isRow: false, texts, isPublished };
  return new WhereSql(parameters).condition(where, subject);
}

/** The public ID of an entry, whose references have it as their key. */
export const publicIdSql = (id: string) =>
  `(select 'ent_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits.all_bits from 5 * n + 1 for 5)::bit(5)::integer, 1), '' order by n)
    from (select b'00' || ('x' || replace(${id}::text, '-', ''))::bit(128) as all_bits) as bits, generate_series(0, 25) as n)`;

class WhereSql {
  readonly #parameters: ListingParameters;
  #aliases = 0;

  constructor(parameters: ListingParameters) {
    this.#parameters = parameters;
  }

  condition(where: Where, subject: Subject): string {
    switch (where.kind) {
      case 'and':
      case 'or': {
        if (where.items.length === 0) return where.kind === 'and' ? 'true' : 'false';
        return `(${where.items.map((item) => this.condition(item, subject)).join(` ${where.kind} `)})`;
      }
      case 'not':
        return `not (${this.condition(where.item, subject)})`;
      case 'keys':
        return `(${keyCondition(this.#parameters, where, subject.keys)})`;
      case 'text':
        return this.#text(where, subject);
      case 'near':
        return this.#near(where, subject);
      case 'system':
        return this.#system(where, subject);
      case 'publishing':
        return this.#publishing(where.state, subject);
      case 'shown': {
        const locales = this.#parameters.add('text[]', [...where.locales]);
        return `coalesce(${subject.entry}.locales ?| ${locales}, ${where.includesUnnamed})`;
      }
      case 'value':
        return this.#value(where, subject);
      case 'row':
        return this.#row(where, subject);
      case 'reference':
        return this.#reference(where, subject);
    }
  }

  #alias(): string {
    return `q${++this.#aliases}`;
  }

  #add(text: string): string {
    return this.#parameters.add('text', text);
  }

  /** The values of a section. One that is empty is a value, too, where `string_to_array` finds none. */
  #texts(start: string, alias: string): string {
    const found = `string_to_array(${this.#section(start, alias)}, ${this.#add(SEPARATOR)})`;
    return `coalesce(nullif(${found}, '{}'), '{""}')`;
  }

  #section(start: string, alias: string): string {
    return `split_part(split_part(${alias}.text, ${start}, 2), ${this.#add(SECTION_END)}, 1)`;
  }

  /** A value of a text field, in a row only those of the row. */
  #text({ field, match, text }: Extract<Where, { kind: 'text' }>, subject: Subject): string {
    const [t, part] = [this.#alias(), this.#alias()];
    const starts = keysOf(field).map((key) => this.#add(sectionStart(key)));
    const has = (start: string) => `strpos(${t}.text, ${start}) > 0`;
    const start =
      starts.length === 1
        ? (starts[0] ?? '')
        : `coalesce(${starts.map((each) => `case when ${has(each)} then ${each} end`).join(', ')}, ${starts[0]})`;
    const value = `split_part(${part}.value, ${this.#add(ROW)}, 1)`;
    const inRow = subject.isRow
      ? ` and split_part(${part}.value, ${this.#add(ROW)}, 2) = ${this.#rowDigits(subject)}`
      : '';
    return `exists (select from ${subject.texts} ${t}
      cross join unnest(${this.#texts(start, t)}) as ${part} (value)
      where ${t}.account_id = ${this.#parameters.account} and ${t}.entry_id = ${subject.entry}.id and ${has(start)}
        and ${this.#matches(value, match, text)}${inRow})`;
  }

  #rowDigits({ keys }: Subject): string {
    return `translate(${keys}.sort_keys ->> 'n', '0123456789', ${this.#add(DIGITS)})`;
  }

  #matches(value: string, match: TextMatch, text: string): string {
    if (match === 'equals') return `${value} = ${this.#add(text)}`;
    const pattern = text.replace(/[\\%_]/g, '\\$&');
    const all = `${match === 'startsWith' ? '' : '%'}${pattern}${match === 'endsWith' ? '' : '%'}`;
    return `${value} like ${this.#add(all)}`;
  }

  // The distance on a sphere, by the haversine formula.
  #near({ paths, lat, lng, metres }: Extract<Where, { kind: 'near' }>, { entry }: Subject): string {
    const degrees = (name: string) => {
      const each = paths.map(
        (path) => `${entry}."values"::jsonb #>> ${this.#parameters.add('text[]', [...path, name])}`,
      );
      return `radians((coalesce(${each.join(', ')}))::double precision)`;
    };
    const [a, b] = [lat, lng].map((each) => `radians(${this.#parameters.add('double precision', each)})`);
    const [y, x] = [degrees('lat'), degrees('lng')];
    const half = `power(sin((${y} - ${a}) / 2), 2) + cos(${a}) * cos(${y}) * power(sin((${x} - ${b}) / 2), 2)`;
    const distance = `2 * 6371008.8 * asin(least(1, sqrt(${half})))`;
    return `coalesce(${distance} <= ${this.#parameters.add('double precision', metres)}, false)`;
  }

  #system({ column, operator, value }: Extract<Where, { kind: 'system' }>, subject: Subject): string {
    const own = `${subject.entry}.${columnOf(column, subject.isPublished)}`;
    if (operator === 'present') return `${own} is not null`;
    const type = column === 'id' ? 'uuid' : column === 'version' ? 'integer' : 'timestamptz';
    const symbol = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' }[operator];
    const operand = type === 'integer' ? this.#parameters.add(type, Number(value)) : this.#parameters.add(type, value);
    return `coalesce(${own} ${symbol} ${operand}, false)`;
  }

  #publishing(state: PublishingState, { entry, isPublished }: Subject): string {
    const { account } = this.#parameters;
    if (state === 'scheduled') {
      return `exists (select from release_items i join releases r on r.account_id = i.account_id and r.id = i.release_id
        where i.account_id = ${account} and i.entry_id = ${entry}.id and r.status = 'scheduled')`;
    }
    const d = isPublished ? this.#alias() : entry;
    const hasChanges = `(${d}.published_version <> ${d}.version or exists (
      select from jsonb_each_text(${d}.published_locales) each where each.value::integer <> ${d}.version))`;
    const own =
      state === 'draft'
        ? `${d}.published_version is null`
        : `(${d}.published_version is not null and ${state === 'changed' ? '' : 'not '}${hasChanges})`;
    return isPublished
      ? `exists (select from entries ${d} where ${d}.account_id = ${account} and ${d}.id = ${entry}.id and ${own})`
      : own;
  }

  /** One value of a repeated field that fulfils several conditions. */
  #value({ field, items }: Extract<Where, { kind: 'value' }>, subject: Subject): string {
    const each = this.#alias();
    const names = keysOf(field).map((key) => `${subject.keys}.sort_keys -> ${this.#add(String(key))}`);
    const all = `jsonb_array_elements(coalesce(${names.join(', ')}, '[]'))`;
    const needsText = items.some(hasText);
    const texts = this.#alias();
    const within: ValueSubject = { key: `(${each}.value #>> '{}')`, text: `${texts}.value` };
    const conditions = items.map((item) => this.#ofValue(item, within)).join(' and ') || 'true';
    if (!needsText) return `exists (select from ${all} as ${each} (value) where ${conditions})`;
    // The texts of a field are in the order of its keys.
    const t = this.#alias();
    const [start = ''] = keysOf(field).map((key) => this.#add(sectionStart(key)));
    const inRow = subject.isRow ? `where split_part(p.value, ${this.#add(ROW)}, 2) = ${this.#rowDigits(subject)}` : '';
    return `exists (select from jsonb_array_elements(coalesce(${names.join(', ')}, '[]')) with ordinality as ${each} (value, place)
      join (
        select split_part(p.value, ${this.#add(ROW)}, 1) as value, row_number() over (order by p.place) as place
        from ${subject.texts} ${t}
        cross join unnest(${this.#texts(start, t)}) with ordinality as p (value, place)
        ${inRow === '' ? 'where true' : inRow} and ${t}.account_id = ${this.#parameters.account}
          and ${t}.entry_id = ${subject.entry}.id and strpos(${t}.text, ${start}) > 0
      ) as ${texts} on ${texts}.place = ${each}.place
      where ${conditions})`;
  }

  #ofValue(where: Where, subject: ValueSubject): string {
    switch (where.kind) {
      case 'and':
      case 'or': {
        if (where.items.length === 0) return where.kind === 'and' ? 'true' : 'false';
        return `(${where.items.map((item) => this.#ofValue(item, subject)).join(` ${where.kind} `)})`;
      }
      case 'not':
        return `not (${this.#ofValue(where.item, subject)})`;
      case 'keys':
        return `(width_bucket(${subject.key} collate "C", ${this.#parameters.add('text[]', where.ranges)}) % 2 <> 0)`;
      case 'text':
        return this.#matches(subject.text, where.match, where.text);
      default:
        throw new Error(`a value has no condition of the kind ${where.kind}`);
    }
  }

  #row({ field, block, where }: Extract<Where, { kind: 'row' }>, subject: Subject): string {
    const row = this.#alias();
    const names = keysOf(field).map((key) => `${subject.keys}.sort_keys -> 'rows' -> ${this.#add(String(key))}`);
    const own = this.condition(where, { ...subject, keys: row, isRow: true });
    const ofBlock = block === undefined ? '' : `${row}.sort_keys ->> 'block' = ${this.#add(block)} and `;
    return `exists (select from jsonb_array_elements(coalesce(${names.join(', ')}, '[]')) as ${row} (sort_keys)
      where ${ofBlock}${own})`;
  }

  #reference({ field, targets }: Extract<Where, { kind: 'reference' }>, subject: Subject): string {
    const names = keysOf(field).map((key) => this.#add(String(key)));
    const found = targets.map(({ view, where }) => {
      const target = this.#alias();
      const isPublished = subject.isPublished && view.publishing;
      const entries = isPublished ? 'published_entries' : 'entries';
      const own = this.condition(where, {
        ...{ entry: target, keys: target, isRow: false, isPublished },
        texts: isPublished ? 'published_texts' : 'entry_texts',
      });
      return `select ${publicIdSql(`${target}.id`)} from ${entries} ${target}
        where ${target}.account_id = ${this.#parameters.account}
          and ${target}.collection_id = ${this.#parameters.add('uuid', view.id)} and ${target}.status = 'active' and ${own}`;
    });
    const all = found.join(' union all ');
    if (!field.repeated) {
      const key = names.map((name) => `${subject.keys}.sort_keys ->> ${name}`).join(', ');
      return `coalesce((coalesce(${key}) in (${all})), false)`;
    }
    const each = this.#alias();
    const list = names.map((name) => `${subject.keys}.sort_keys -> ${name}`).join(', ');
    return `exists (select from jsonb_array_elements_text(coalesce(${list}, '[]')) as ${each} (key)
      where ${each}.key in (${all}))`;
  }
}

interface ValueSubject {
  key: string;
  text: string;
}

const hasText = (where: Where): boolean =>
  where.kind === 'text' ||
  (where.kind === 'not' && hasText(where.item)) ||
  ((where.kind === 'and' || where.kind === 'or') && where.items.some(hasText));

/** The column of a system field; what is published of an entry has its own time. */
export function columnOf(column: SystemColumn, isPublished: boolean): string {
  switch (column) {
    case 'id':
      return 'id';
    case 'createdAt':
      return 'created_at';
    case 'updatedAt':
      return 'updated_at';
    case 'publishedAt':
      return isPublished ? 'updated_at' : 'published_at';
    case 'version':
      return 'version';
  }
}
