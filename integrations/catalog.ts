/**
 * What the integrations for n8n, Zapier and Make offer. It names topics, routes and members only: types, choices, descriptions and samples
 * come from `openapi.json`, and `node integrations/generate.ts` fails where a name is not there.
 */

export interface Trigger {
  key: string;
  label: string;
  description: string;
  /** What it watches, as one word or two. */
  noun: string;
  topics: string[];
  /** Conditions that it always has, besides those of the user. */
  filters?: { field: string; operator: string; value: string | number | boolean }[];
  /** Whether it can be limited to some collections. */
  isByCollection?: true;
  /** The list that has recent items to try a Zap with. */
  recent?: string;
}

export interface Action {
  key: string;
  label: string;
  description: string;
  noun: string;
  type: 'search' | 'create' | 'update';
  /** Method and path. */
  route: string;
  /** Parameters and members of the body, in the order of the form. `identifier` stands for one of the identifiers of a conversion. */
  fields: string[];
  required?: string[];
  /** The member of the response that has the items. */
  list?: string;
}

export const TRIGGERS: Trigger[] = [
  {
    key: 'leadCreated',
    label: 'New Lead',
    description: 'Triggers when a visitor is identified by email for the first time.',
    noun: 'Lead',
    topics: ['lead.created'],
    recent: '/v1/leads',
  },
  {
    key: 'eventRecorded',
    label: 'Event Recorded',
    description: 'Triggers when an event is recorded.',
    noun: 'Event',
    topics: ['event.recorded'],
  },
  {
    key: 'conversionReported',
    label: 'Conversion Reported',
    description: 'Triggers when a conversion is attributed to a session, at once or when its session arrives later.',
    noun: 'Conversion',
    topics: ['conversion.reported', 'conversion.matched'],
    recent: '/v1/conversions',
  },
  {
    key: 'conversionRestated',
    label: 'Conversion Restated',
    description: 'Triggers when a conversion is reported again, such as with another value.',
    noun: 'Conversion',
    topics: ['conversion.restated'],
    recent: '/v1/conversions',
  },
  {
    key: 'conversionRefunded',
    label: 'Conversion Refunded',
    description: 'Triggers when the value of a conversion is adjusted to 0.',
    noun: 'Refund',
    topics: ['conversion.restated'],
    filters: [{ field: 'value', operator: 'eq', value: 0 }],
  },
  {
    key: 'entryPublished',
    label: 'Entry Published',
    description: 'Triggers when an entry is published, or published again.',
    noun: 'Entry',
    topics: ['entry.published'],
    isByCollection: true,
  },
  {
    key: 'entryChanged',
    label: 'Entry Changed',
    description: 'Triggers when an entry is created, updated, unpublished or deleted.',
    noun: 'Entry',
    topics: ['entry.created', 'entry.updated', 'entry.unpublished', 'entry.deleted'],
    isByCollection: true,
  },
  {
    key: 'alertChanged',
    label: 'Alert Opened or Resolved',
    description: 'Triggers when an alert finds something unusual, and when that has passed.',
    noun: 'Alert',
    topics: ['alert.opened', 'alert.resolved'],
  },
];

const ENTRIES = '/v1/cms/collections/{collectionId}/entries';

export const ACTIONS: Action[] = [
  {
    key: 'findEntries',
    label: 'Find Entries',
    description: 'Finds entries of a collection.',
    noun: 'Entry',
    type: 'search',
    route: `GET ${ENTRIES}`,
    fields: ['collectionId', 'q', 'where', 'state', 'locale', 'sort', 'pageSize'],
    list: 'entries',
  },
  {
    key: 'findLeads',
    label: 'Find Leads',
    description: 'Finds leads by email, name or time.',
    noun: 'Lead',
    type: 'search',
    route: 'GET /v1/leads',
    fields: ['q', 'from', 'to', 'sort', 'pageSize'],
    list: 'leads',
  },
  {
    key: 'findConversions',
    label: 'Find Conversions',
    description: 'Finds conversions that are attributed to a session.',
    noun: 'Conversion',
    type: 'search',
    route: 'GET /v1/conversions',
    fields: ['q', 'event', 'source', 'campaign', 'from', 'to', 'sort', 'pageSize'],
    list: 'conversions',
  },
  {
    key: 'findUnmatchedConversions',
    label: 'Find Unmatched Conversions',
    description: 'Finds reports of conversions whose session is not known yet.',
    noun: 'Unmatched Conversion',
    type: 'search',
    route: 'GET /v1/conversions/unmatched',
    fields: ['q', 'identifier', 'pageSize'],
    list: 'conversions',
  },
  {
    key: 'findSessions',
    label: 'Find Sessions',
    description: 'Finds sessions by hash, click ID, email, source or time.',
    noun: 'Session',
    type: 'search',
    route: 'GET /v1/sessions',
    fields: ['q', 'source', 'medium', 'campaign', 'country', 'platform', 'leadId', 'from', 'to', 'pageSize'],
    list: 'sessions',
  },
  {
    key: 'reportConversion',
    label: 'Report a Conversion',
    description: 'Reports a conversion, or restates it under the same event ID. A value of 0 is a refund.',
    noun: 'Conversion',
    type: 'create',
    route: 'POST /v1/analytics/report-conversion',
    fields: ['identifier', 'value', 'currency', 'eventId', 'event', 'createdOn', 'extra'],
    required: ['identifier'],
  },
  {
    key: 'recordEvent',
    label: 'Record an Event',
    description: 'Records an event, with the email of a lead, a value, or a session identifier among its properties.',
    noun: 'Event',
    type: 'create',
    route: 'POST /v1/events',
    fields: ['event', 'properties', 'id', 'occurredAt'],
  },
  {
    key: 'createEntry',
    label: 'Create an Entry',
    description: 'Creates an entry of a collection.',
    noun: 'Entry',
    type: 'create',
    route: `POST ${ENTRIES}`,
    fields: ['collectionId', 'values'],
  },
  {
    key: 'updateEntry',
    label: 'Update an Entry',
    description: 'Changes values of an entry. Fields that are not sent stay.',
    noun: 'Entry',
    type: 'update',
    route: `PATCH ${ENTRIES}/{entryId}`,
    fields: ['collectionId', 'entryId', 'values', 'version'],
    required: ['values'],
  },
  {
    key: 'publishEntry',
    label: 'Publish an Entry',
    description: 'Publishes the latest version of an entry.',
    noun: 'Entry',
    type: 'update',
    route: `POST ${ENTRIES}/{entryId}/publish`,
    fields: ['collectionId', 'entryId', 'version'],
  },
];

/** Labels that cannot be read off the name. */
export const LABELS: Record<string, string> = {
  q: 'Search',
  where: 'Conditions',
  from: 'From',
  to: 'To',
  id: 'Client ID',
  event: 'Event Name',
  pageSize: 'Limit',
  platform: 'Click ID',
  collectionId: 'Collection',
  createdOn: 'Date',
};
