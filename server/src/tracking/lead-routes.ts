import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { publicId } from '../shared/ids.ts';
import { EraseBody } from './contract.ts';
import { ERASE_LEAD, type EraseParams } from './erase-lead.ts';
import { findLead } from './forget-queries.ts';

/** `POST /v1/leads/erase`. */
export function leadRoutes(app: App, deps: Deps): void {
  app.post(
    '/v1/leads/erase',
    {
      config: { access: 'secret', rate: 'write' },
      schema: {
        operationId: 'eraseLead',
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Erase a lead',
        description:
          "Answers a job, which removes all that is personal of this e-mail: the lead; of its sessions the visitor's id, click ids and the queries of addresses; titles of its visits; the properties of its events but `value`, `currency` and `funnel_id`; identifiers and `extra` of its conversions; the files of all exports made before. Counts and sums stay. Doing it again does no harm; who comes back is a new lead.",
        security: [{ token: [] }],
        body: EraseBody,
        response: withErrors(Job),
      },
    },
    (request) => {
      const { accountId } = request.caller;
      return idempotently(deps.db, request, accountId, async (tx) => {
        const [lead] = await findLead(tx, accountId, request.body.email.trim().toLowerCase());
        const params: EraseParams = { leadId: lead ? publicId('led', lead.id) : null };
        const job = await enqueueJob(deps, tx, accountId, ERASE_LEAD, params);
        const change = { action: 'lead.erased', subject: ['job', job.id] as const, after: { leadId: params.leadId } };
        await audit(tx, authorOf(request), change, deps.clock());
        return job;
      });
    },
  );
}
