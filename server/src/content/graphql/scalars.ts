import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { NestedField } from '../collections/field.ts';

const scalar = (name: string, description: string) => new GraphQLScalarType({ name, description });

const JSON_VALUE = scalar('JSON', 'Any JSON value');
const DATE = scalar('Date', 'A day, such as 2026-11-20');
export const DATE_TIME = scalar('DateTime', 'A time in UTC, such as 2026-11-20T08:00:00.000Z');
const DECIMAL = new GraphQLScalarType({
  name: 'Decimal',
  description: 'A number that is exact: a string of digits if it is too long for a number',
  parseValue: (value) => value,
  // With all of its digits.
  parseLiteral: (node) => ('value' in node ? String(node.value) : undefined),
});

const POINT = new GraphQLObjectType({
  name: 'Point',
  fields: { lat: { type: GraphQLFloat }, lng: { type: GraphQLFloat } },
});

export const RICH_TEXT_FORMAT = new GraphQLEnumType({
  name: 'RichTextFormat',
  values: { json: {}, html: {}, markdown: {} },
});

export const ASSET = new GraphQLObjectType({
  name: 'Asset',
  fields: {
    assetId: { type: new GraphQLNonNull(GraphQLID) },
    ...Object.fromEntries(
      ['url', 'type', 'mediaType', 'name', 'alt', 'title', 'caption', 'placeholder', 'poster', 'srcset'].map((name) => [
        name,
        { type: GraphQLString },
      ]),
    ),
    ...Object.fromEntries(['bytes', 'duration'].map((name) => [name, { type: GraphQLFloat }])),
    ...Object.fromEntries(['width', 'height'].map((name) => [name, { type: GraphQLInt }])),
    focalPoint: {
      type: new GraphQLObjectType({
        name: 'FocalPoint',
        fields: { x: { type: GraphQLFloat }, y: { type: GraphQLFloat } },
      }),
    },
  },
});

/** System members of every entry. */
export const META = new GraphQLObjectType({
  name: 'EntryMeta',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    collectionId: { type: GraphQLID },
    publishedAt: { type: DATE_TIME },
    createdAt: { type: DATE_TIME },
    url: { type: GraphQLString },
    alternates: { type: JSON_VALUE },
    locales: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    redirectTo: { type: GraphQLString },
  },
});

const BY_FORMAT: Record<string, GraphQLScalarType | GraphQLObjectType> = {
  json: JSON_VALUE,
  richtext: JSON_VALUE,
  point: POINT,
  integer: DECIMAL,
  decimal: DECIMAL,
};
const BY_TYPE: Record<string, GraphQLScalarType | GraphQLObjectType> = {
  number: GraphQLFloat,
  boolean: GraphQLBoolean,
  date: DATE,
  timestamp: DATE_TIME,
  asset: ASSET,
};

/** The type of one value that has no fields of its own. */
export const valueTypeOf = ({ type, format }: NestedField) => BY_FORMAT[format ?? ''] ?? BY_TYPE[type] ?? GraphQLString;
