import { auditsOf } from '../../shared/audit.ts';
import type { Destination } from '../contract.ts';

/** Adds an operation on a destination to the audit log. */
export const auditDestination = auditsOf<'created' | 'changed' | 'deleted' | 'credentials_changed' | 'replayed'>(
  'destination',
);

/** The members that can be changed, without the credentials. */
export function auditedState(destination: Destination) {
  const { platform, name, mapping, filter, consent, mode, startAt, sendAfter, trustPublicValues } = destination;
  return { platform, name, mapping, filter, consent, mode, startAt, sendAfter, trustPublicValues };
}
