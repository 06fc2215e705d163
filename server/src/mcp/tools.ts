/** A tool: one route of the API, with the parameters that an agent needs. */
export interface Tool {
  title: string;
  description: string;
  route: string;
  /** Parameters that are not offered. */
  without?: readonly string[];
  /** The only parameters that are offered. */
  only?: readonly string[];
  /** Parameters that have another name here. */
  names?: Readonly<Record<string, string>>;
}

const COLLECTION = '/v1/cms/collections/:collectionId';
const PERIOD = ['from', 'to', 'timeZone', 'compare', 'interval'];
/** The filters of reports that people ask for; the API has more. Models accept no brackets in the names of arguments. */
const FILTERS = Object.fromEntries(
  ['source', 'medium', 'campaign', 'landingPage', 'country', 'device', 'channel', 'event'].map((dimension) => [
    `filter[${dimension}]`,
    dimension,
  ]),
);

/** The tools that read, by name. Each is named by what it is for. */
export const READ_TOOLS = {
  list_collections: {
    title: 'List collections',
    description:
      'The collections of content with their IDs, keys and names. Use describe_collection for the fields of one.',
    route: 'GET /v1/cms/collections',
  },
  describe_collection: {
    title: 'Describe a collection',
    description: 'The schema of a collection: its fields with their IDs, types, formats and rules.',
    route: `GET ${COLLECTION}`,
    without: ['includeDeleted'],
  },
  query_entries: {
    title: 'Query entries',
    description:
      'Entries of a collection by conditions, full text and order, with the entries that they reference. Use `select` to read little.',
    route: `POST ${COLLECTION}/entries/query`,
  },
  get_entry: {
    title: 'Get an entry',
    description: 'One entry with all values.',
    route: `GET ${COLLECTION}/entries/:entryId`,
  },
  list_entry_versions: {
    title: 'List versions of an entry',
    description: 'Who changed an entry, when, and which fields.',
    route: `GET ${COLLECTION}/entries/:entryId/versions`,
  },
  get_return_on_ad_spend: {
    title: 'Return on ad spend',
    description:
      'Cost, revenue to date, revenue expected at full age and return on ad spend by the day of the click, for sources, campaigns, ad groups, ads or landing pages. The most recent days are not mature: say so.',
    route: 'GET /v1/analytics/roas',
    without: ['curves'],
  },
  get_overview: {
    title: 'Traffic and conversions over time',
    description: 'Sessions, visitors, conversions and revenue of a period, over time and compared.',
    route: 'GET /v1/analytics/overview',
    only: [...PERIOD, ...Object.keys(FILTERS)],
    names: FILTERS,
  },
  get_breakdown: {
    title: 'Traffic and conversions by dimension',
    description: 'Sessions, conversions and revenue of a period by source, campaign, landing page, country and so on.',
    route: 'GET /v1/analytics/breakdown',
    only: [...PERIOD, 'by', 'limit', 'order', ...Object.keys(FILTERS)],
    names: FILTERS,
  },
  get_funnel: {
    title: 'Funnel',
    description:
      'How many sessions or visitors complete each step of a funnel of pages and events, and where they drop off.',
    route: 'POST /v1/analytics/funnel',
  },
  find_leads: {
    title: 'Find leads',
    description: 'Leads by email or period, with what they are worth.',
    route: 'GET /v1/leads',
  },
  list_sessions: {
    title: 'List sessions',
    description: 'Sessions of a lead (`leadId`) or of a period, with source, campaign, landing page and click IDs.',
    route: 'GET /v1/sessions',
  },
  get_timeline: {
    title: 'Timeline of a lead or session',
    description: 'Page views, events and conversions of one lead or session, in order.',
    route: 'GET /v1/analytics/timeline',
  },
  list_conversions: {
    title: 'List conversions',
    description: 'Conversions that were attributed to a session, with value, source and campaign.',
    route: 'GET /v1/conversions',
  },
  get_conversion: {
    title: 'Get a conversion',
    description: 'A conversion with every report of it and its session.',
    route: 'GET /v1/conversions/:conversionId',
  },
  list_unmatched_conversions: {
    title: 'Why conversions are unmatched',
    description:
      'Conversions for which no session was found: the identifiers that were sent, when, and until when they wait.',
    route: 'GET /v1/conversions/unmatched',
  },
  list_rejected_requests: {
    title: 'Why requests were rejected',
    description: 'Requests of the last seven days that were refused, by fault, with the fix.',
    route: 'GET /v1/rejected-requests',
  },
  list_destinations: {
    title: 'List destinations',
    description: 'The ad platforms to which conversions are sent, with their state and why they are paused.',
    route: 'GET /v1/destinations',
  },
  list_destination_deliveries: {
    title: 'What a destination did',
    description: 'What was sent to a destination, skipped or refused, and why.',
    route: 'GET /v1/destinations/:id/deliveries',
    names: { id: 'destinationId' },
  },
  list_conversion_deliveries: {
    title: 'Where a conversion was sent',
    description: 'What each destination did with one conversion.',
    route: 'GET /v1/conversions/:conversionId/deliveries',
  },
} satisfies Record<string, Tool>;

/** The tools that make plans and decide about them. Nothing else of an agent changes anything. */
export const PLAN_TOOLS = {
  plan_entry_changes: {
    title: 'Plan changes of entries',
    description:
      'Proposes to create, change, delete, restore, publish or unpublish entries. Changes nothing: returns a plan with the difference by field, which waits until apply_plan, or a person in the dashboard, applies it.',
    route: 'POST /v1/plans/entry-changes',
  },
  plan_bulk_change: {
    title: 'Plan a change of all entries that match',
    description: 'Proposes the same change for the entries that match a condition, up to 1,000. Changes nothing.',
    route: 'POST /v1/plans/bulk-changes',
  },
  plan_conversions: {
    title: 'Plan reports of conversions',
    description:
      'Proposes to report conversions, or other values of those that exist (same `eventId`). A report has one identifier of a session (`gclid` or another click ID, `sessionHash`), `eventId`, `value`, `currency`, and optionally `event` and `createdOn`. Changes nothing: returns how much money moves.',
    route: 'POST /v1/plans/conversions',
  },
  plan_schema_change: {
    title: 'Plan a change of the schema',
    description:
      'Proposes collections, components or locales. A section is sent whole, `collections` as list_collections returns them: what it does not have is deleted. Changes nothing: returns what would be lost.',
    route: 'POST /v1/plans/schema',
  },
  apply_plan: {
    title: 'Apply a plan',
    description:
      'Carries out exactly what a plan says, if nothing has changed since. Ask the person first, and only apply plans that you have shown to them.',
    route: 'POST /v1/plans/:planId/apply',
  },
  undo_plan: {
    title: 'Undo a plan',
    description: 'Takes back what an applied plan changed.',
    route: 'POST /v1/plans/:planId/undo',
  },
} satisfies Record<string, Tool>;
