import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { type Fault, refuse } from '../errors.ts';
import { toApiError } from './problem.ts';
import { STRICT } from './schemas.ts';
import { findFaults } from './validate.ts';

export const OnErrorQuery = Type.Object(
  {
    onError: Type.Optional(
      Type.Enum(['refuse', 'skip'], {
        default: 'refuse',
        description:
          'What invalid rows do: `refuse`: nothing is written (400 with all of them); `skip`: the others are written',
      }),
    ),
  },
  STRICT,
);

export const RowFault = Type.Object(
  { row: Type.Integer({ description: 'From 1' }), code: Type.String(), detail: Type.String() },
  { title: 'RowFault' },
);
export type RowFault = Static<typeof RowFault>;

/** What the schema finds in the rows of a list: of a row or one of its members. */
export type RowFaults = (row: number, name?: string) => Fault[];

const NONE: RowFaults = () => [];

/**
 * The faults of the rows of a list, for a route with `attachValidation`, so that each faulty row is named, whoever finds its fault.
 * @throws ApiError 400 if anything but a row is faulty
 */
export function rowFaultsOf(
  {
    validationError,
    body,
    query,
    routeOptions,
  }: Pick<FastifyRequest, 'validationError' | 'body' | 'query' | 'routeOptions'>,
  list: string,
  schema: TSchema,
): RowFaults {
  if (!validationError) return NONE;
  // The query of a request with a faulty body is not validated yet.
  const ofQuery = findFaults(routeOptions.schema?.querystring ?? {}, query);
  const known = [
    ...toApiError(validationError).errors,
    ...(ofQuery.length > 0 && validationError.validationContext === 'body'
      ? toApiError({ validation: ofQuery, validationContext: 'querystring' }).errors
      : []),
  ];
  if (known.some(({ pointer }) => !pointer.startsWith(`/${list}/`))) refuse(known);
  const rows = (body as Record<string, unknown[]>)[list] ?? [];
  const faults = rows.map((row, i) => {
    const validation = findFaults(schema, row).map((error) => ({
      ...error,
      instancePath: `/${list}/${i}${error.instancePath}`,
    }));
    return validation.length === 0 ? [] : toApiError({ validation, validationContext: 'body' }).errors;
  });
  return (row, name) => {
    const own = faults[row] ?? [];
    const pointer = `/${list}/${row}`;
    return name === undefined ? own : own.filter((fault) => [pointer, `${pointer}/${name}`].includes(fault.pointer));
  };
}
