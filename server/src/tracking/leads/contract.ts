import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, readOnly, SessionId, STRICT, Time } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

const Text = orNull(Type.String());

/** A lead as part of another resource. */
export const LeadRef = Type.Object({ id: Type.String(), email: Type.String() });

/** What webhooks send about a lead, along with its sessions. */
export const LeadSummary = Type.Object({ ...LeadRef.properties, firstSeenAt: Time(), lastSeenAt: Time() });

export const Lead = Type.Object(
  {
    ...LeadSummary.properties,
    firstSessionId: orNull(SessionId()),
    latestSessionId: orNull(SessionId()),
    source: orNull(Type.String(), { description: 'Of the first session, like the members that follow' }),
    medium: Text,
    campaign: Text,
    country: Text,
    name: orNull(Type.String(), {
      description: 'The latest `name`, or first and last name, among the properties of its events',
    }),
  },
  { title: 'Lead' },
);
export type Lead = Static<typeof Lead>;

export const LeadWithProperties = Type.Object(
  {
    ...Lead.properties,
    notes: orNull(Type.String(), { description: 'Written by members of the account' }),
    properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'The latest value of each property of its latest events, such as a name or a phone number',
    }),
  },
  { title: 'LeadWithProperties' },
);
export type LeadWithProperties = Static<typeof LeadWithProperties>;

/** Body of `PATCH /v1/leads/{leadId}`. */
export const LeadChange = Type.Object(
  {
    notes: Type.Optional(orNull(Type.String({ maxLength: LIMITS.leadNotesLength }))),
    ...readOnly(
      ...(['id', 'email', 'name', 'firstSeenAt', 'lastSeenAt', 'firstSessionId', 'latestSessionId'] as const),
    ),
    ...readOnly(...(['source', 'medium', 'campaign', 'country', 'properties'] as const)),
  },
  STRICT,
);

export const LeadsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest `firstSeenAt`, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Latest `firstSeenAt`, exclusive' })),
    q: Type.Optional(
      Type.String({
        maxLength: 320,
        description:
          'A part of an email or a name, in any case; fewer than three characters: the start of an email, sorted by email',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(['firstSeenAt:desc', 'firstSeenAt:asc', 'email:asc', 'email:desc'], { default: 'firstSeenAt:desc' }),
    ),
    totals: Type.Optional(Type.Boolean({ default: false, description: 'Whether to count all leads of the list' })),
  },
  STRICT,
);
export type LeadsQuery = Static<typeof LeadsQuery>;

export const LeadPage = Type.Object({
  leads: Type.Array(Lead),
  nextPageToken: NextPageToken,
  totals: Type.Optional(Type.Object({ leads: Type.Integer() })),
});
export type LeadPage = Static<typeof LeadPage>;

export const LeadPath = Type.Object({ leadId: Type.String() });

/** Body of `POST /v1/leads/erase`. */
export const EraseBody = Type.Object({ email: Type.String({ format: 'email', description: 'In any case' }) }, STRICT);
