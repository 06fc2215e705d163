import type { RichText } from './content.ts';
import type { DeliveredAsset, Ref } from './delivery-types.ts';
import type { Schema as SentSchema } from './generated.ts';

type Frozen<Value> = Value extends (...args: never) => unknown
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** What a schema file exports: `{…} as const satisfies SchemaFile`. */
export type SchemaFile = Frozen<Partial<SentSchema>>;

/** The public collections of a schema file, by key: the values of their entries. */
export type SchemaOf<File> = File extends { readonly collections: readonly (infer C)[] }
  ? { [Each in C as NameOf<Each>]: Each extends { readonly fields: infer L } ? Values<L, File> : Record<never, never> }
  : Record<never, never>;

type NameOf<C> = C extends { readonly public: true }
  ? C extends { readonly key: infer Key extends string }
    ? Key
    : C extends { readonly id: infer Id extends string }
      ? Id
      : never
  : never;

type Listed<List> = List extends readonly (infer Each)[] ? Each : never;
type Visible<List> = Exclude<Listed<List>, { readonly private: true }>;
type Flat<Value> = { [Key in keyof Value]: Value[Key] };

/** A field without a value is absent. */
type Values<List, File> = Flat<
  {
    [Field in Visible<List> as Field extends { readonly required: true; readonly id: infer Id extends string }
      ? Id
      : never]: ValueOf<Field, File>;
  } & {
    [Field in Visible<List> as Field extends { readonly required: true }
      ? never
      : Field extends { readonly id: infer Id extends string }
        ? Id
        : never]?: ValueOf<Field, File>;
  }
>;

type ValueOf<Field, File> = Field extends { readonly repeated: true } ? One<Field, File>[] : One<Field, File>;

type One<Field, File> = Field extends { readonly format: infer Format }
  ? Format extends 'richtext'
    ? RichText | string
    : Format extends 'json'
      ? unknown
      : Format extends 'point'
        ? { lat: number; lng: number }
        : Format extends 'integer' | 'decimal'
          ? number | string
          : Format extends 'reference'
            ? Field extends { readonly collectionIds: infer Ids }
              ? Ref<Target<Listed<Ids> & string, File>>
              : never
            : Format extends 'blocks'
              ? Field extends { readonly blocks: infer Blocks }
                ? Row<Listed<Blocks>, File>
                : never
              : string
  : Field extends { readonly type: infer Type }
    ? Type extends 'number'
      ? number
      : Type extends 'boolean'
        ? boolean
        : Type extends 'asset'
          ? DeliveredAsset
          : Type extends 'select'
            ? Field extends { readonly options: infer Options }
              ? Listed<Options> extends { readonly value: infer Value }
                ? Value
                : string
              : string
            : Type extends 'group'
              ? Group<Field, File>
              : string
    : never;

/** The key of a collection that is named by its key or ID. */
type Target<Name extends string, File> = File extends { readonly collections: readonly (infer C)[] }
  ? NameOf<Extract<C, { readonly key: Name }> | Extract<C, { readonly id: Name }>>
  : never;

type Group<Field, File> = Field extends { readonly rowIds: true }
  ? Flat<{ _id: string } & Values<FieldsIn<Field, File>, File>>
  : Values<FieldsIn<Field, File>, File>;

type Row<Block, File> = Block extends { readonly id: infer Id extends string }
  ? Flat<{ _block: Id; _id: string } & Values<FieldsIn<Block, File>, File>>
  : never;

/** Own fields, or those of a component, which is named by key or ID. */
type FieldsIn<Of, File> = Of extends { readonly componentId: infer Name }
  ? File extends { readonly components: readonly (infer C)[] }
    ? Extract<C, { readonly key: Name }> | Extract<C, { readonly id: Name }> extends { readonly fields: infer L }
      ? L
      : never
    : never
  : Of extends { readonly fields: infer L }
    ? L
    : [];
