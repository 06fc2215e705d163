import type { Room } from '../shared/deps.ts';

export { CLICK_ID_NAMES } from './click-ids.ts';
export { findSessions, type SessionLookUp } from './find-sessions.ts';
export {
  IDENTIFIER_NAMES,
  type Identifier,
  type IdentifierFault,
  type IdentifierName,
  identify,
  readIdentifier,
} from './identifier.ts';
export { type BegunSession, type Reactions, reactTo, type ValuedEvent } from './reactions.ts';

export const trackingRoom: Room = () => [];
