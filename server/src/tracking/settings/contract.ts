import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

const AllowedOrigins = Type.Array(Type.String({ maxLength: 512 }), {
  maxItems: LIMITS.allowedOrigins,
  description:
    'Origins of the pages that may use the publishable key, such as `https://shop.example`, or `https://*.shop.example` for every subdomain. If empty, every origin may. Requests from servers, without an `Origin` header, are not restricted',
});
const ExcludedAddresses = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: LIMITS.excludedAddresses,
  description:
    'IPv4 and IPv6 addresses and CIDR ranges whose visits and events are recorded as internal traffic and excluded from reports, like those of bots',
});
const RetentionDays = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 36_500,
  description:
    'How many days sessions, visits, events and leads are stored; null for no limit. Conversions remain, without their identifiers',
});

export const Settings = Type.Object({
  allowedOrigins: AllowedOrigins,
  excludedAddresses: ExcludedAddresses,
  retentionDays: RetentionDays,
  updatedAt: orNull(Type.String({ format: 'date-time' }), { description: 'Null until the settings are first changed' }),
});
export type Settings = Static<typeof Settings>;

/** Body of `PATCH /v1/tracking/settings`. Omitted members stay unchanged. */
export const SettingsBody = Type.Object(
  {
    ...readOnly('updatedAt'),
    allowedOrigins: Type.Optional(AllowedOrigins),
    excludedAddresses: Type.Optional(ExcludedAddresses),
    retentionDays: Type.Optional(RetentionDays),
  },
  STRICT,
);
export type SettingsBody = Static<typeof SettingsBody>;
