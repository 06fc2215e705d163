import { Type } from 'typebox';
import { isoTime } from '../../shared/time.ts';
import { LeadSummary, loadLeads, SessionSummary } from '../../tracking/index.ts';
import { exampleLead, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const LeadData = Type.Object(
  {
    ...LeadSummary.properties,
    firstSession: Type.Union([SessionSummary, Type.Null()]),
    latestSession: Type.Union([SessionSummary, Type.Null()]),
    sequence,
  },
  { title: 'WebhookLead' },
);

const load: LoadDrafts = async (_deps, tx, changes) => {
  const leads = await loadLeads(tx, changes);
  return changes.flatMap((change) => {
    const lead = leads.get(change.id);
    if (!lead) return [];
    // The times at this change; the lead's row has the latest.
    const { firstSeenAt, lastSeenAt } = change.data as { firstSeenAt: string; lastSeenAt: string };
    const data = {
      id: lead.id,
      email: lead.email,
      firstSeenAt: isoTime(Date.parse(firstSeenAt)),
      lastSeenAt: isoTime(Date.parse(lastSeenAt)),
    };
    const sessions = { firstSession: lead.firstSession, latestSession: lead.latestSession };
    return { change, data, sessions, leadId: change.id };
  });
};

const family = { data: LeadData, load };

export const leadTopics = {
  'lead.created': {
    ...family,
    summary: 'A visitor was identified by email for the first time',
    example: { ...exampleLead, lastSeenAt: exampleLead.firstSeenAt, sequence: 1 },
  },
  'lead.updated': { ...family, summary: 'A lead was seen again', example: { ...exampleLead, sequence: 2 } },
} satisfies TopicDefinitions;
