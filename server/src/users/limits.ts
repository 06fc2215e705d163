import { defineLimits } from '../shared/limits.ts';

export const USER_LIMITS = defineLimits({
  nameLength: [255, 'Name of a user, account or key'],
  emailLength: [254, 'Email of a user'],
  minPasswordLength: [10, 'A password has at least so many'],
  passwordLength: [128, 'A password'],
  invitationDays: [30, '`expiresInDays` of an invitation'],
  ssoDomains: [50, '`domains` of single sign-on'],
  ssoRoleMappings: [200, '`roleMappings` of single sign-on'],
});

export const LIMITS = USER_LIMITS.values;
