import { type Static, Type } from 'typebox';
import { STRICT } from '../../shared/http/schemas.ts';
import { NewComponent } from '../collections/components/contract.ts';
import { NewCollection } from '../contract.ts';
import { LocalesChange } from '../locales/contract.ts';

const Id = (what: string) =>
  Type.Optional(
    Type.String({
      description: `Names the ${what}, whatever else changes. One that this account does not have is found by its \`key\`, or else made with this ID.`,
    }),
  );

/** A definition as a schema file has it: without what is deleted, and what is absent has its default. */
export const SchemaCollection = Type.Object(
  { ...NewCollection.properties, id: Id('collection') },
  { ...STRICT, title: 'SchemaCollection' },
);
export type SchemaCollection = Static<typeof SchemaCollection>;

export const SchemaComponent = Type.Object(
  { ...NewComponent.properties, id: Id('component') },
  { ...STRICT, title: 'SchemaComponent' },
);
export type SchemaComponent = Static<typeof SchemaComponent>;

export const contentSections = {
  collections: Type.Array(SchemaCollection, { maxItems: 2_000 }),
  components: Type.Array(SchemaComponent),
  locales: LocalesChange,
};

export interface ContentSchema {
  collections: SchemaCollection[];
  components: SchemaComponent[];
  locales: LocalesChange;
}
