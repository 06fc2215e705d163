import { Type } from 'typebox';

/** The limits of a module: the values that it enforces, and the schema by which `GET /v1/limits` publishes them. */
export interface Limits<Name extends string = string> {
  values: Readonly<Record<Name, number>>;
  schema: ReturnType<typeof Type.Object>;
}

/** Defines limits by their names, each with its value and description. Lengths are in characters. */
export function defineLimits<Name extends string>(
  table: Record<Name, [value: number, description: string]>,
): Limits<Name> {
  const map = <Result>(convert: (limit: [number, string]) => Result) =>
    Object.fromEntries(
      Object.entries<[number, string]>(table).map(([name, limit]) => [name, convert(limit)]),
    ) as Record<Name, Result>;
  return {
    values: map(([value]) => value),
    schema: Type.Object(map(([, description]) => Type.Number({ description }))),
  };
}
