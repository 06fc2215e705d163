import { escapePointer, type Fault } from '../../shared/errors.ts';
import { splitList } from '../../shared/http/list-parameters.ts';
import { parseId } from '../../shared/ids.ts';
import { rawAsText } from '../../shared/json.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { parseTimestamp } from '../../shared/time.ts';
import type { Collection } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import { madeValueOf } from '../entries/made-values.ts';
import { ValueFault } from '../field-types/field-type.ts';
import { fold } from '../field-types/fold.ts';
import { typeOf } from '../field-types/index.ts';
import { MISSING, SORTED_LENGTH, textPrefix } from '../field-types/sort-key.ts';
import { LIMITS } from '../limits.ts';
import { ABSENT, between, complement, exactly, intersect, type KeyRanges, PRESENT } from '../listing/key-ranges.ts';
import { conditionOf } from '../roles/collection-access.ts';
import { isQueryOperator, NEGATIONS, operatorsOf, QUERY_OPERATORS, type QueryOperator } from './operators.ts';
import { findPlace, type Owner, ownerOf, type Place, rowOwner } from './paths.ts';
import { ALL, and, NONE, not, PUBLISHING_STATES, type PublishingState, type Where } from './where.ts';

/** What paths of a query can lead to. */
export interface Reader {
  /** The collections with these IDs that can be read, as their entries are read. */
  load(publicIds: readonly string[]): Promise<Collection[]>;
  /** Whether everyone can read the result, so that it must not depend on what is not public. */
  isPublic: boolean;
  /** What `{"currentUser": true}` stands for; undefined: it is no value. */
  currentUser?: { id: string; email: string | null };
}

/** The path of the publishing state, for conditions alone. */
const STATE = 'publishingState';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses conditions and checks them against the collection as its reader sees it. Adds every fault to `faults`. */
export class WhereParser {
  readonly #reader: Reader;
  readonly #faults: Fault[];
  #leaves = 0;
  /** Of the whole query, with those of parsers for a referenced collection. */
  #targetsLeft = { count: LIMITS.whereTargets };

  constructor(reader: Reader, faults: Fault[]) {
    this.#reader = reader;
    this.#faults = faults;
  }

  parse(collection: Collection, sent: unknown, pointer = '/where'): Promise<Where> {
    return this.#group(ownerOf(collection, this.#reader.isPublic), rawAsText(sent), pointer, 1, 0);
  }

  /** `filter[path][operator]=text` */
  filter(collection: Collection, path: string, operator: string, text: string, pointer: string): Promise<Where> {
    const owner = ownerOf(collection, this.#reader.isPublic);
    return this.#leaf(owner, path.split('.'), operator, text, { pointer, operatorPointer: pointer }, 1, 0);
  }

  async #group(owner: Owner, sent: unknown, pointer: string, depth: number, references: number): Promise<Where> {
    if (!isObject(sent)) {
      const detail = 'Write a condition as {"<path>": {"<operator>": value}}, or with and, or, not.';
      return this.#fault(pointer, 'where_invalid', detail);
    }
    const items: Where[] = [];
    for (const [name, value] of Object.entries(sent)) {
      const at = `${pointer}/${escapePointer(name)}`;
      const isList = name === 'and' || name === 'or';
      // A field can have one of these names; then its condition is an object.
      if ((isList && Array.isArray(value)) || (name === 'not' && isObject(value))) {
        if (depth > LIMITS.whereDepth) {
          return this.#fault(at, 'too_deep', `Conditions can be nested at most ${LIMITS.whereDepth} deep.`);
        }
        if (name === 'not') items.push(not(await this.#group(owner, value, at, depth + 1, references)));
        else {
          const parts: Where[] = [];
          for (const [i, item] of (value as unknown[]).entries()) {
            parts.push(await this.#group(owner, item, `${at}/${i}`, depth + 1, references));
          }
          items.push({ kind: name as 'and' | 'or', items: parts });
        }
      } else if (isList && !isObject(value)) {
        this.#fault(at, 'where_invalid', `Write ${name} as a list of conditions.`);
      } else items.push(await this.#operators(owner, name.split('.'), value, at, depth, references));
    }
    return and(items);
  }

  /** All operators of a path. */
  async #operators(
    owner: Owner,
    path: readonly string[],
    sent: unknown,
    pointer: string,
    depth: number,
    references: number,
  ): Promise<Where> {
    if (!isObject(sent) || Object.keys(sent).length === 0) {
      return this.#fault(pointer, 'where_invalid', 'Write a condition as {"<operator>": value}.');
    }
    const items: Where[] = [];
    for (const [operator, operand] of Object.entries(sent)) {
      const operatorPointer = `${pointer}/${escapePointer(operator)}`;
      items.push(await this.#leaf(owner, path, operator, operand, { pointer, operatorPointer }, depth, references));
    }
    return and(items);
  }

  async #leaf(
    owner: Owner,
    path: readonly string[],
    operator: string,
    operand: unknown,
    at: { pointer: string; operatorPointer: string },
    depth: number,
    references: number,
  ): Promise<Where> {
    const isNested = operator === 'some' || operator === 'every' || operator === 'none';
    if (!isNested && ++this.#leaves > LIMITS.whereLeaves) {
      if (this.#leaves > LIMITS.whereLeaves + 1) return ALL;
      return this.#fault(at.pointer, 'too_many', `A query has at most ${LIMITS.whereLeaves} conditions.`);
    }
    const place = findPlace(owner, path);
    const isState = place.kind === 'unknown' && path.length === 1 && path[0] === STATE && owner.isPublishing === true;
    if (place.kind === 'unknown' && !isState) return this.#unknown(place, path, at.pointer);
    if (!isQueryOperator(operator)) {
      const near = nearestName(operator, QUERY_OPERATORS);
      const detail = `There is no operator "${operator.slice(0, 40)}". ${near ? `Perhaps you meant ${near}.` : `The operators are ${QUERY_OPERATORS.join(', ')}.`}`;
      return this.#fault(at.operatorPointer, 'operator_unknown', detail);
    }
    // Through references and rows, a negation is the complement of what it negates.
    const isDirect = place.kind === 'field' && !place.isInRows;
    if (operator in NEGATIONS && !isDirect) {
      const positive = NEGATIONS[operator as keyof typeof NEGATIONS];
      this.#leaves--;
      return not(await this.#leaf(owner, path, positive, operand, at, depth, references));
    }
    if (operator === 'exists' && !isDirect && String(operand) === 'false') {
      this.#leaves--;
      return not(await this.#leaf(owner, path, 'exists', true, at, depth, references));
    }
    switch (place.kind) {
      case 'unknown':
        return this.#publishing(operator, operand, at.operatorPointer);
      case 'system':
        return this.#system(place.column, operator, operand, at.operatorPointer);
      case 'rows':
        return this.#rows(place, operator, operand, at.operatorPointer, depth, references);
      case 'reference':
        return this.#through(place, operator, operand, at, depth, references);
      case 'field':
        return this.#field(place, operator, operand, at.operatorPointer, depth, references);
    }
  }

  #unknown({ name, known }: Extract<Place, { kind: 'unknown' }>, path: readonly string[], pointer: string): Where {
    const near = nearestName(name, known);
    const where = path.length > 1 ? ` of the path "${path.join('.').slice(0, 200)}"` : '';
    const detail = `There is no active field with the ID "${name.slice(0, 100)}"${where}.${near ? ` Perhaps you meant "${near}".` : ''}`;
    return this.#fault(pointer, 'field_unknown', detail);
  }

  #system(
    column: Extract<Place, { kind: 'system' }>['column'],
    operator: QueryOperator,
    operand: unknown,
    pointer: string,
  ): Where {
    const isTime = column.endsWith('At');
    const textOf = (sent: unknown): string | undefined => {
      const text = String(sent);
      if (column === 'version') return /^\d{1,9}$/.test(text) ? text : undefined;
      if (column === 'id') return parseId('ent', text);
      const time = typeof sent === 'string' ? (parseTimestamp(text) ?? parseTimestamp(`${text}T00:00:00Z`)) : undefined;
      return time === undefined ? undefined : new Date(time).toISOString();
    };
    const compare = (name: 'eq' | 'lt' | 'lte' | 'gt' | 'gte', sent: unknown): Where => {
      const value = textOf(sent);
      if (value !== undefined) return { kind: 'system', column, operator: name, value };
      // Another ID is that of no entry.
      if (column === 'id' && typeof sent === 'string' && name === 'eq') return NONE;
      const expected = isTime ? 'a time, such as 2026-01-31T12:00:00Z' : column === 'version' ? 'a number' : 'an ID';
      return this.#fault(pointer, 'value_invalid', `"${column}" is ${expected}.`);
    };
    if (operator === 'exists') {
      if (this.#truth(operand, pointer) === undefined) return ALL;
      return { kind: 'system', column, operator: 'present', value: '' };
    }
    if (operator === 'in') {
      return { kind: 'or', items: this.#list(operand, pointer).map((each) => compare('eq', each)) };
    }
    if (operator === 'between') {
      const [from, to] = this.#list(operand, pointer, 2);
      return and([compare('gte', from), compare('lte', to)]);
    }
    if (['eq', 'lt', 'lte', 'gt', 'gte'].includes(operator)) return compare(operator as 'eq', operand);
    const detail = `"${column}" can be compared by eq, ne, in, nin, lt, lte, gt, gte, between and exists.`;
    return this.#fault(pointer, 'operator_not_allowed', detail);
  }

  #publishing(operator: QueryOperator, operand: unknown, pointer: string): Where {
    if (operator !== 'eq' && operator !== 'in') {
      return this.#fault(pointer, 'operator_not_allowed', `"${STATE}" can be compared by eq, ne, in and nin.`);
    }
    const sent = operator === 'eq' ? [operand] : this.#list(operand, pointer);
    const states = PUBLISHING_STATES.filter((state) => sent.includes(state));
    if (sent.some((each) => !states.includes(each as PublishingState))) {
      return this.#fault(pointer, 'value_invalid', `"${STATE}" is one of ${PUBLISHING_STATES.join(', ')}.`);
    }
    return { kind: 'or', items: states.map((state) => ({ kind: 'publishing', state })) };
  }

  async #rows(
    { field, block }: Extract<Place, { kind: 'rows' }>,
    operator: QueryOperator,
    operand: unknown,
    pointer: string,
    depth: number,
    references: number,
  ): Promise<Where> {
    const row = (where: Where): Where => ({ kind: 'row', field, block: block?.id, where });
    if (operator === 'exists') return this.#truth(operand, pointer) === undefined ? ALL : row(ALL);
    if (operator === 'some' || operator === 'every' || operator === 'none') {
      if (field.blocks && !block) {
        const kinds = field.blocks.map(({ id }) => `${field.id}.${id}`).join(', ');
        return this.#fault(pointer, 'operator_not_allowed', `Name the type of the rows, one of ${kinds}.`);
      }
      if (depth > LIMITS.whereDepth) {
        return this.#fault(pointer, 'too_deep', `Conditions can be nested at most ${LIMITS.whereDepth} deep.`);
      }
      const where = await this.#group(rowOwner(field, block), operand, pointer, depth + 1, references);
      if (operator === 'some') return row(where);
      return not(row(operator === 'every' ? not(where) : where));
    }
    return this.#fault(pointer, 'operator_not_allowed', `"${field.label}" supports exists, some, every and none.`);
  }

  /** A condition on a referenced entry, in any of the collections whose entries have the path. */
  async #through(
    { field, rest }: Extract<Place, { kind: 'reference' }>,
    operator: QueryOperator,
    operand: unknown,
    at: { pointer: string; operatorPointer: string },
    depth: number,
    references: number,
  ): Promise<Where> {
    // It is counted where it leads to.
    this.#leaves--;
    return this.#targets(field, at.pointer, references, (owner, parser) =>
      parser.#leaf(owner, rest, operator, operand, at, depth, references + 1),
    );
  }

  /** What holds for a referenced entry. Faults count only if no collection has what is named. */
  async #targets(
    field: Field,
    pointer: string,
    references: number,
    parse: (owner: Owner, parser: WhereParser) => Promise<Where>,
  ): Promise<Where> {
    if (references >= LIMITS.expandDepth) {
      const detail = `A path leads through at most ${LIMITS.expandDepth} references.`;
      return this.#fault(pointer, 'too_deep', detail);
    }
    const targets: { view: Collection; where: Where }[] = [];
    let failed: Fault[] | undefined;
    // A condition counts once, whichever collections it leads to.
    const before = this.#leaves;
    let most = before;
    for (const view of await this.#reader.load(field.collectionIds ?? [])) {
      if (--this.#targetsLeft.count < 0) break;
      const faults: Fault[] = [];
      const parser = new WhereParser(this.#reader, faults);
      parser.#leaves = before;
      parser.#targetsLeft = this.#targetsLeft;
      const where = await parse(ownerOf(view, this.#reader.isPublic), parser);
      if (faults.length === 0) {
        const own = conditionOf(view, 'read');
        targets.push({ view, where: own ? and([own, where]) : where });
        most = Math.max(most, parser.#leaves);
      } else failed ??= faults;
      // That a collection lacks a field is no fault if another one has it; a limit always is.
      const limit = faults.find(({ code }) => code === 'too_many' || code === 'too_deep');
      if (limit) {
        this.#faults.push(limit);
        return ALL;
      }
    }
    this.#leaves = most;
    if (this.#targetsLeft.count < 0) {
      const detail = `The conditions lead to more than ${LIMITS.whereTargets} collections by references. Use shorter paths, or fields that reference fewer collections.`;
      return this.#faults.some(({ code }) => code === 'query_too_expensive')
        ? ALL
        : this.#fault(pointer, 'query_too_expensive', detail);
    }
    if (targets.length === 0) {
      if (failed) this.#faults.push(...failed);
      else {
        const detail = `The entries that "${field.label}" references cannot be read.`;
        this.#fault(pointer, 'field_unknown', detail);
      }
      return ALL;
    }
    return { kind: 'reference', field, targets };
  }

  async #field(
    place: Extract<Place, { kind: 'field' }>,
    operator: QueryOperator,
    operand: unknown,
    pointer: string,
    depth: number,
    references: number,
  ): Promise<Where> {
    const { field } = place;
    const allowed = operatorsOf(field);
    const isReference = typeOf(field).structure === 'reference';
    const isHidden =
      isReference &&
      this.#reader.isPublic &&
      !['eq', 'in', 'ne', 'nin', 'all', 'some', 'every', 'none', 'exists'].includes(operator);
    if (!allowed.includes(operator) || isHidden) {
      const detail = `Filters on "${field.label}", of type "${field.format ?? field.type}", support ${allowed.join(', ')}.`;
      return this.#fault(pointer, 'operator_not_allowed', detail);
    }
    if (isReference && this.#reader.isPublic && operator === 'exists') {
      // A reference that everyone cannot follow is left out, so it does not exist.
      const is = this.#truth(operand, pointer);
      const found = await this.#targets(field, pointer, references, async () => ALL);
      return is === false ? not(found) : found;
    }
    if (isReference && this.#reader.isPublic && operator in NEGATIONS) {
      return not(this.#compare(field, NEGATIONS[operator as keyof typeof NEGATIONS], operand, pointer));
    }
    if (operator === 'some' || operator === 'every' || operator === 'none') {
      return this.#values(place, operator, operand, pointer, depth, references);
    }
    if (operator === 'near') return this.#near(place, operand, pointer);
    if (operator === 'all') {
      return and(this.#list(operand, pointer).map((each) => this.#compare(field, 'eq', each, pointer)));
    }
    return this.#compare(field, operator, operand, pointer);
  }

  /** `some`, `every` and `none` of the values of a repeated field, or of what it references. */
  async #values(
    { field }: Extract<Place, { kind: 'field' }>,
    operator: 'some' | 'every' | 'none',
    operand: unknown,
    pointer: string,
    depth: number,
    references: number,
  ): Promise<Where> {
    const isReference = typeOf(field).structure === 'reference';
    if (!isObject(operand)) {
      // `filter[tags][none]=a,b`
      if (operator === 'none') return not(this.#compare(field, 'in', operand, pointer));
      return this.#fault(pointer, 'value_invalid', `The operator ${operator} takes a condition.`);
    }
    const isOnTargets = isReference && !Object.keys(operand).every(isQueryOperator);
    if (isOnTargets) {
      if (depth > LIMITS.whereDepth) {
        return this.#fault(pointer, 'too_deep', `Conditions can be nested at most ${LIMITS.whereDepth} deep.`);
      }
      const group = (owner: Owner, parser: WhereParser) =>
        parser.#group(owner, operand, pointer, depth + 1, references + 1);
      if (operator !== 'every') {
        const found = await this.#targets(field, pointer, references, group);
        return operator === 'some' ? found : not(found);
      }
      return not(await this.#targets(field, pointer, references, async (...of) => not(await group(...of))));
    }
    if (isReference && this.#reader.isPublic) {
      return this.#fault(pointer, 'operator_not_allowed', `The operator ${operator} takes a condition on the entries.`);
    }
    const single: Field = { ...field, repeated: false };
    const items: Where[] = [];
    for (const [name, value] of Object.entries(operand)) {
      if (++this.#leaves > LIMITS.whereLeaves) {
        return this.#fault(pointer, 'too_many', `A query has at most ${LIMITS.whereLeaves} conditions.`);
      }
      const at = `${pointer}/${escapePointer(name)}`;
      const isAllowed =
        isQueryOperator(name) && name !== 'exists' && name !== 'near' && operatorsOf(single).includes(name);
      if (!isAllowed) {
        const code = isQueryOperator(name) ? 'operator_not_allowed' : 'operator_unknown';
        const detail = `The values of "${field.label}" support ${operatorsOf(single).join(', ')}.`;
        this.#fault(at, code, detail);
      } else items.push(this.#compare(single, name, value, at));
    }
    const value = (of: readonly Where[]): Where => ({ kind: 'value', field, items: of });
    if (operator === 'some') return value(items);
    if (operator === 'none') return not(value(items));
    return not(value([not(and(items))]));
  }

  #near({ field, names, isInRows }: Extract<Place, { kind: 'field' }>, operand: unknown, pointer: string): Where {
    const parts = String(operand)
      .split(',')
      .map((part) => part.trim());
    const [lat = Number.NaN, lng = Number.NaN, metres = Number.NaN] = parts.map((part) =>
      part === '' ? Number.NaN : Number(part),
    );
    const isValid = parts.length === 3 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && metres >= 0 && metres <= 3e7;
    if (!isValid || isInRows || field.repeated) {
      const detail = 'Write near as "lat,lng,metres", such as "52.52,13.405,5000", for a place that is not in rows.';
      return this.#fault(pointer, isValid ? 'operator_not_allowed' : 'value_invalid', detail);
    }
    return { kind: 'near', paths: names, lat, lng, metres };
  }

  /** A condition on the values of a field, by their keys or texts. */
  #compare(field: Field, operator: QueryOperator, operand: unknown, pointer: string): Where {
    if (operator === 'contains' || operator === 'startsWith' || operator === 'endsWith' || operator === 'ieq') {
      return this.#text(field, operator, operand, pointer);
    }
    if (operator === 'exists') {
      const is = this.#truth(operand, pointer);
      if (is === undefined) return ALL;
      // A text has one key, and further ones for its links.
      return keys(field, !is ? ABSENT : typeOf(field).otherKeys ? exactly([typeOf(field).sortKey('')]) : PRESENT);
    }
    if (operator === 'ne' || operator === 'nin') {
      const ranges = this.#ranges(field, NEGATIONS[operator], operand, pointer);
      return field.repeated ? keys(field, ranges, true) : keys(field, complement(ranges));
    }
    return keys(field, this.#ranges(field, operator, operand, pointer));
  }

  #text(
    field: Field,
    operator: 'contains' | 'startsWith' | 'endsWith' | 'ieq',
    operand: unknown,
    pointer: string,
  ): Where {
    if (typeof operand !== 'string') {
      return this.#fault(pointer, 'value_invalid', `The operator ${operator} needs a text.`);
    }
    const text = fold(operand);
    if (text === '' && operator !== 'ieq') {
      return this.#fault(pointer, 'value_invalid', `The operator ${operator} needs a text.`);
    }
    const match = operator === 'ieq' ? 'equals' : operator;
    const found: Where = { kind: 'text', field, match, text };
    const { sortsAlike } = typeOf(field);
    if (!sortsAlike || operator === 'contains' || operator === 'endsWith' || field.repeated) return found;
    // The order of texts has those that start alike beside each other.
    const prefix = textPrefix(operand);
    if (prefix === '' || prefix.length >= SORTED_LENGTH) return found;
    const narrow = keys(
      field,
      operator === 'ieq' ? between(prefix, `${prefix}\u0002`) : between(prefix, `${prefix}\u{10fffe}`),
    );
    return and([narrow, found]);
  }

  #ranges(field: Field, operator: QueryOperator, operand: unknown, pointer: string): KeyRanges {
    const isList = operator === 'in' || operator === 'between';
    const sent = isList ? this.#list(operand, pointer, operator === 'between' ? 2 : undefined) : [operand];
    const type = typeOf(field);
    const values: unknown[] = [];
    for (const [i, given] of sent.entries()) {
      const each = this.#user(field, given);
      const at = isList && Array.isArray(operand) ? `${pointer}/${i}` : pointer;
      const isText = typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean';
      const value = isText
        ? type.parseOperand(String(each), field)
        : new ValueFault(
            'value_invalid',
            `"${field.label}" cannot be compared with ${each === null ? 'null; use exists' : 'this value'}.`,
          );
      if (value instanceof ValueFault) this.#fault(at, value.code, value.detail);
      else values.push(value);
    }
    if (values.length < sent.length || values.length === 0) return [];
    if (operator === 'eq' || operator === 'in') return exactly(values.map((value) => type.sortKey(value)));
    const [start, end] = type.sortRange(values[0]);
    switch (operator) {
      case 'lt':
        return between('', start);
      case 'lte':
        return between('', end);
      case 'gt':
        return between(end, MISSING);
      case 'gte':
        return between(start, MISSING);
      default:
        return intersect(between(start, MISSING), between('', type.sortRange(values[1])[1]));
    }
  }

  /** The user who `{"currentUser": true}` stands for, by email in a field of emails. */
  #user(field: Field, operand: unknown): unknown {
    const { currentUser } = this.#reader;
    if (!currentUser || !isObject(operand) || madeValueOf(operand) !== 'currentUser') return operand;
    return (field.format === 'email' ? currentUser.email : undefined) ?? currentUser.id;
  }

  /** The values of an operator that takes several. */
  #list(operand: unknown, pointer: string, length?: number): unknown[] {
    const list = Array.isArray(operand) ? operand : typeof operand === 'string' ? splitList(operand) : [operand];
    if (length !== undefined && list.length !== length) {
      this.#fault(pointer, 'value_invalid', `Write ${length} values, such as "1,5".`);
      return [];
    }
    if (list.length > LIMITS.filterValues) {
      this.#fault(pointer, 'too_many', `An operator takes at most ${LIMITS.filterValues} values.`);
      return [];
    }
    return list;
  }

  #truth(operand: unknown, pointer: string): boolean | undefined {
    const text = String(operand);
    if (text === 'true' || text === 'false') return text === 'true';
    this.#fault(pointer, 'value_invalid', 'The operator exists takes true or false.');
    return undefined;
  }

  #fault(pointer: string, code: string, detail: string): Where {
    this.#faults.push({ pointer, code, detail });
    return ALL;
  }
}

const keys = (field: Field, ranges: KeyRanges, negated = false): Where => ({ kind: 'keys', field, ranges, negated });
