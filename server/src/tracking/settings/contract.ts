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

const FirstPartyId = Type.Boolean({
  description:
    'Keeps the visitor ID of visits also in the cookie `hw_id` (first-party, `HttpOnly`, 400 days), which survives the deletion of script storage after seven days. Only where the service runs under the site of the page, and only with consent',
});

export const Settings = Type.Object(
  {
    allowedOrigins: AllowedOrigins,
    excludedAddresses: ExcludedAddresses,
    retentionDays: RetentionDays,
    firstPartyId: FirstPartyId,
    updatedAt: orNull(Type.String({ format: 'date-time' }), {
      description: 'Null until the settings are first changed',
    }),
  },
  { title: 'TrackingSettings' },
);
export type Settings = Static<typeof Settings>;

/** Body of `POST /v1/tracking/check-first-party`. */
export const FirstPartyCheckBody = Type.Object(
  {
    scriptUrl: Type.String({
      maxLength: 2_048,
      description: 'Where your pages load the script from, such as `https://shop.example/metrics/headwater.js`',
    }),
    apiKey: Type.String({ maxLength: 256, description: 'The publishable key of your pages' }),
  },
  STRICT,
);

const CheckCode = Type.Enum([
  ...(['turned_off', 'not_https', 'unreachable', 'key_refused', 'not_forwarded'] as const),
  ...(['cookie_removed', 'set_cookie_removed', 'header_removed'] as const),
]);

export const FirstPartyCheck = Type.Object({
  url: Type.String({ description: 'What was requested' }),
  works: Type.Boolean(),
  problems: Type.Array(Type.Object({ code: CheckCode, detail: Type.String() })),
});
export type FirstPartyCheck = Static<typeof FirstPartyCheck>;

/** Body of `PATCH /v1/tracking/settings`. Omitted members stay unchanged. */
export const SettingsBody = Type.Object(
  {
    ...readOnly('updatedAt'),
    allowedOrigins: Type.Optional(AllowedOrigins),
    excludedAddresses: Type.Optional(ExcludedAddresses),
    retentionDays: Type.Optional(RetentionDays),
    firstPartyId: Type.Optional(FirstPartyId),
  },
  STRICT,
);
export type SettingsBody = Static<typeof SettingsBody>;
