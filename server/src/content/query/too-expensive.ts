import { type ApiError, badRequest } from '../../shared/errors.ts';

/** A statement that was canceled: it ran into a limit of time. */
const CANCELED = '57014';

/** The error of a query that was given up. What costs too much is refused before, where that can be known. */
export const tookTooLong = (cause?: unknown): ApiError =>
  badRequest(
    'query_too_expensive',
    'The query took too long and was given up. Add a condition that an index finds (eq, in or a range of a field, without not), ' +
      'or ask for fewer entries, groups, measures, joins or references at once.',
    cause,
  );

/** The error of a route that queries, if it does not answer in time. */
export const late = () => tookTooLong();

/** Runs a query whose statements may be canceled. @throws ApiError 400 `query_too_expensive` */
export async function inTime<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === CANCELED) throw tookTooLong(error);
    throw error;
  }
}
