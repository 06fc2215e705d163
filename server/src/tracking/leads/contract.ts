import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, SessionId, STRICT, Time } from '../../shared/http/schemas.ts';

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
  },
  { title: 'Lead' },
);
export type Lead = Static<typeof Lead>;

export const LeadWithProperties = Type.Object(
  {
    ...Lead.properties,
    properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'The latest value of each property of its latest events, such as a name or a phone number',
    }),
  },
  { title: 'LeadWithProperties' },
);
export type LeadWithProperties = Static<typeof LeadWithProperties>;

export const LeadsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest `firstSeenAt`, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Latest `firstSeenAt`, exclusive' })),
    q: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'An email address or its first characters, in any case; sorts the leads by email',
      }),
    ),
  },
  STRICT,
);
export type LeadsQuery = Static<typeof LeadsQuery>;

export const LeadPage = Type.Object({ leads: Type.Array(Lead), nextPageToken: NextPageToken });
export type LeadPage = Static<typeof LeadPage>;

export const LeadPath = Type.Object({ leadId: Type.String() });

/** Body of `POST /v1/leads/erase`. */
export const EraseBody = Type.Object({ email: Type.String({ format: 'email', description: 'In any case' }) }, STRICT);
