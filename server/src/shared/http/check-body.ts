import { toApiError } from './problem.ts';
import { validatorCompiler } from './validate.ts';

/** Validates a value as the body of a request is. @throws ApiError 400 with every fault */
export function checkBody(schema: object, value: unknown): void {
  const validate: (value: unknown) => { error?: unknown } = validatorCompiler()({ schema });
  const { error } = validate(value);
  if (error) throw toApiError({ validation: error });
}
