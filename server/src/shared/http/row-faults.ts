import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { type Fault, refuse } from '../errors.ts';
import { toApiError } from './problem.ts';
import { findFaults } from './validate.ts';

/** What the schema finds in the rows of a list: of a row or one of its members. */
export type RowFaults = (row: number, name?: string) => Fault[];

const NONE: RowFaults = () => [];

/**
 * The faults of the rows of a list, for a route with `attachValidation`, so that each faulty row is named, whoever finds its fault.
 * @throws ApiError 400 if anything but a row is faulty
 */
export function rowFaultsOf(
  { validationError, body }: Pick<FastifyRequest, 'validationError' | 'body'>,
  list: string,
  schema: TSchema,
): RowFaults {
  if (!validationError) return NONE;
  const known = toApiError(validationError).errors;
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
