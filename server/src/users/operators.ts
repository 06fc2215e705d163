import { ApiError } from '../shared/errors.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { findUser } from './queries.ts';

export async function isOperator(control: ControlDatabase, userId: string): Promise<boolean> {
  return (await findUser(control, { user_id: userId }))[0]?.is_operator === true;
}

/** @throws ApiError 400 `operator_required` unless the user operates the service */
export async function requireOperator(control: ControlDatabase, userId: string): Promise<void> {
  if (await isOperator(control, userId)) return;
  const detail = 'This requires an operator of the service: `headwater users operator <email>` makes a user one.';
  throw new ApiError(400, 'operator_required', detail);
}
