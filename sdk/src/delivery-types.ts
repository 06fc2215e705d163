// What the compiler knows of a query by the schema: which paths there are, and what an entry has by what was selected and expanded.

/** A reference to entries of collections, by their keys. */
export interface Ref<Collections extends string> {
  readonly reference: Collections;
}

export interface DeliveredAsset {
  assetId: string;
  url: string;
  type: 'image' | 'video' | 'file';
  mediaType: string;
  name: string;
  bytes: number;
  width: number | null;
  height: number | null;
  duration: number | null;
  alt: string | null;
  title: string | null;
  caption: string | null;
  focalPoint: { x: number; y: number } | null;
  placeholder: string | null;
  poster: string | null;
  srcset: string | null;
}

/** Values that have no fields of their own, though they are objects. */
type Whole = DeliveredAsset | { type: 'doc' } | { lat: number; lng: number };

type Item<Value> = NonNullable<Value> extends readonly (infer Each)[] ? Each : NonNullable<Value>;
type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;
type Rest<Path, Key extends string> = Path extends `${Key}.${infer Deeper}` ? Deeper : never;
type Flat<Value> = { [Key in keyof Value]: Value[Key] };

/** Steps of paths: references are followed so often. */
type Depth = [0, 1, 2];
type Less<D extends number> = D extends 1 ? 0 : D extends 2 ? 1 : D extends 3 ? 2 : 0;
type Deepest = [...Depth, 3]['length'] extends 4 ? 3 : never;

type Blocks = { _block: string };
type IsGroup<Value> = Value extends Whole ? false : Value extends object ? true : false;

/** The paths to references that can be expanded. */
type ExpandPath<Schema, Values, D extends number = Deepest> = D extends 0
  ? never
  : {
      [Key in keyof Values & string]: Item<Values[Key]> extends Ref<infer C>
        ? Key | `${Key}.${ExpandPath<Schema, Schema[C & keyof Schema], Less<D>>}`
        : Item<Values[Key]> extends Blocks
          ? BlockPath<Schema, Item<Values[Key]>, Key, D>
          : IsGroup<Item<Values[Key]>> extends true
            ? `${Key}.${ExpandPath<Schema, Item<Values[Key]>, Less<D>>}`
            : never;
    }[keyof Values & string];

type BlockPath<Schema, Row, Key extends string, D extends number> = Row extends { _block: infer Block extends string }
  ? `${Key}.${Block}.${ExpandPath<Schema, Omit<Row, '_block' | '_id'>, Less<D>>}`
  : never;

/** The paths that can be selected. */
type SelectPath<Schema, Values, D extends number = 2> =
  | (keyof Values & string)
  | (D extends 0
      ? never
      : {
          [Key in keyof Values & string]: Item<Values[Key]> extends Ref<infer C>
            ? `${Key}.${SelectPath<Schema, Schema[C & keyof Schema], Less<D>>}`
            : Item<Values[Key]> extends Blocks
              ? never
              : IsGroup<Item<Values[Key]>> extends true
                ? `${Key}.${SelectPath<Schema, Item<Values[Key]>, Less<D>>}`
                : never;
        }[keyof Values & string]);

interface Known<Value> {
  eq?: Value;
  ne?: Value;
  in?: readonly Value[];
  nin?: readonly Value[];
  exists?: boolean;
}
interface Ordered<Value> {
  lt?: Value;
  lte?: Value;
  gt?: Value;
  gte?: Value;
  between?: readonly [Value, Value];
}
interface OfText {
  contains?: string;
  ieq?: string;
  startsWith?: string;
  endsWith?: string;
}
type OperatorsOf<Value> =
  Value extends Ref<string>
    ? Known<string>
    : Value extends boolean
      ? Known<boolean>
      : Value extends string
        ? Known<Value> & Ordered<Value> & OfText
        : Value extends number
          ? Known<number | string> & Ordered<number | string>
          : Value extends { lat: number }
            ? { near?: string; exists?: boolean }
            : { exists?: boolean };

/** Several values also take `all`; the values of options are one operand each. */
type Operators<Value> =
  NonNullable<Value> extends readonly (infer Each)[]
    ? (OperatorsOf<Each> | OperatorsOf<Widest<Each>>) & { all?: readonly Widest<Each>[] }
    : OperatorsOf<Widest<NonNullable<Value>>>;
type Widest<Value> = [Value] extends [string] ? (string extends Value ? string : Value & string) : Value;

interface System {
  id: string;
  createdAt: string;
  publishedAt: string;
}

/** Conditions by path, joined by *and*; `and`, `or` and `not` combine them. */
export type Where<Schema, Values> =
  | { and: readonly Where<Schema, Values>[] }
  | { or: readonly Where<Schema, Values>[] }
  | { not: Where<Schema, Values> }
  | WhereLeaves<Schema, Values>;

type WhereLeaves<Schema, Values> = {
  [Path in SelectPath<Schema, Values> | Exclude<keyof System, keyof Values>]?: Operators<
    ValueAt<Schema, Values & Omit<System, keyof Values>, Path>
  >;
};

type ValueAt<Schema, Values, Path> = Path extends keyof Values
  ? Values[Path]
  : Path extends `${infer First}.${infer Deeper}`
    ? First extends keyof Values
      ? Item<Values[First]> extends Ref<infer C>
        ? ValueAt<Schema, Schema[C & keyof Schema], Deeper>
        : ValueAt<Schema, Item<Values[First]>, Deeper>
      : never
    : never;

type SortPath<Schema, Values> = SelectPath<Schema, Values, 1> | keyof System;

export interface ReadOptions<Schema, C extends keyof Schema, Expand extends string = never> {
  /** References that are returned as entries. */
  expand?: readonly (Expand & ExpandPath<Schema, Schema[C]>)[] | undefined;
  locale?: string | undefined;
  richtext?: 'json' | 'html' | 'markdown' | undefined;
  /** The variants of experiments that are shown: `headline:new`, several after commas. */
  variant?: string | undefined;
  /** The token of a preview: drafts in place of what is published. They are not kept in the `cache`. */
  preview?: string | undefined;
  /** Options of `fetch`, such as `{ next: { revalidate: 60 } }` of Next.js. */
  init?: RequestInit | undefined;
}

export interface ListOptions<
  Schema,
  C extends keyof Schema,
  Select extends string = never,
  Expand extends string = never,
> extends ReadOptions<Schema, C, Expand> {
  where?: Where<Schema, Schema[C]> | undefined;
  /** The values to return; all without it. */
  select?: readonly (Select & SelectPath<Schema, Schema[C]>)[] | undefined;
  sort?: readonly (`${SortPath<Schema, Schema[C]>}:${'asc' | 'desc'}` | 'relevance')[] | undefined;
  q?: string | undefined;
  pageSize?: number | undefined;
  pageToken?: string | undefined;
  /** Whether `total` is counted. */
  total?: boolean | undefined;
}

/** A value as it is returned: a reference that is not expanded is an ID. */
type Read<Schema, Value, Select, Expand extends string, IsExpanded> = Value extends readonly (infer Each)[]
  ? Read<Schema, Each, Select, Expand, IsExpanded>[]
  : Value extends Ref<infer C>
    ? IsExpanded extends true
      ? ReferencedEntry<Schema, C, Select, Expand>
      : string
    : Value extends { _block: infer Block extends string }
      ? Flat<
          Pick<Value, '_block' | ('_id' & keyof Value)> &
            Selected<Schema, Omit<Value, '_block' | '_id'>, never, Rest<Expand, Block>>
        >
      : IsGroup<Value> extends true
        ? Selected<Schema, Value, Select, Expand>
        : Value;

type ReferencedEntry<Schema, C, Select, Expand extends string> = C extends keyof Schema
  ? {
      collectionId: string;
      id: string;
      values: Selected<Schema, Schema[C], Select, Expand>;
      publishedAt: string;
      createdAt: string;
      /** Of collections with a `urlPattern`. */
      url?: string | null;
      alternates?: Record<string, string>;
    }
  : never;

/** Values with what was selected of them. @param Select never: all */
export type Selected<Schema, Values, Select, Expand extends string> = {
  [Key in keyof Values as [Select] extends [never] ? Key : Key extends Head<Select> ? Key : never]: Read<
    Schema,
    Values[Key],
    Key extends Select ? never : Rest<Select, Key & string>,
    Rest<Expand, Key & string>,
    Key extends Head<Expand> ? true : false
  >;
};

export interface Entry<Schema, C extends keyof Schema, Select extends string = never, Expand extends string = never> {
  id: string;
  values: Selected<Schema, Schema[C], Select, Expand>;
  publishedAt: string;
  createdAt: string;
  /** Of collections with a `urlPattern`; null while a value of it is missing. */
  url?: string | null;
  alternates?: Record<string, string>;
  locales?: string[];
  /** Of collections with a manual order: sorts by its characters. */
  position?: string | null;
  /** Of trees: the entry that this one is below. */
  parentId?: string | null;
  /** The experiment and the variant that it shows, if the request named one. */
  experiment?: string;
  variant?: string;
  /** The slug of the entry, if it was read by an earlier one. */
  redirectTo?: string;
}

export interface Entries<Schema, C extends keyof Schema, Select extends string = never, Expand extends string = never> {
  entries: Entry<Schema, C, Select, Expand>[];
  nextPageToken: string | null;
  total?: number;
}

/** The page of a path: an entry, or where it is now. */
export type Resolved<Schema> =
  | { redirectTo: string; collection?: undefined; entry?: undefined }
  | {
      [C in keyof Schema & string]: {
        collection: C;
        entry: Entry<Schema, C>;
        /** null: the collection has no localized fields. */
        locale: string | null;
        redirectTo?: undefined;
      };
    }[keyof Schema & string];

export interface Redirect {
  from: string;
  to: string;
  status: number;
}
