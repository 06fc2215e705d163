import { invalid } from '../shared/errors.ts';
import { type CallRoute, type Draft, digest, type PlanKind } from './kind.ts';

interface SchemaRequest {
  schema: Record<string, unknown>;
  allowDataLoss: boolean;
}
interface Push {
  changes: {
    action: string;
    type: string;
    id: string;
    path: string;
    name: string;
    members: { member: string; before?: unknown; after?: unknown }[];
    losesData: boolean;
    entries: number;
    description: string;
  }[];
  undoId: string | null;
}

const readState = async (call: CallRoute) => digest(await call('GET /v1/schema'));

/** Plans another schema. */
export async function planSchema(call: CallRoute, request: SchemaRequest): Promise<Draft<SchemaRequest>> {
  const { schema, allowDataLoss } = request;
  const state = await readState(call);
  const { changes } = await call<Push>(`PUT /v1/schema?dryRun=true&allowDataLoss=${allowDataLoss}`, schema);
  if (changes.length === 0) {
    throw invalid([
      { pointer: '/schema', code: 'nothing_changes', detail: 'The schema is as sent, so there is nothing to plan.' },
    ]);
  }
  return {
    request,
    preview: {
      summary: `${changes.length} changes of the schema`,
      rows: changes.length,
      changes: changes.map(({ action, type, id, path, members }) => ({
        action,
        type: 'schema',
        id,
        label: `${type} ${path}`,
        fields: members.map(({ member, before = null, after = null }) => ({ field: member, before, after })),
      })),
      money: [],
      warnings: changes
        .filter(({ losesData }) => losesData)
        .map(({ description, entries }) => `${description} Entries that lose something: ${entries}.`),
    },
    state,
  };
}

export const schemaKind: PlanKind<SchemaRequest, { undoId: string | null }> = {
  readState,
  async apply(call, { schema, allowDataLoss }) {
    const { undoId } = await call<Push>(`PUT /v1/schema?allowDataLoss=${allowDataLoss}`, schema);
    return { undoId };
  },
  async undo(call, _request, { undoId }) {
    if (undoId !== null) await call(`POST /v1/schema/undo/${undoId}?allowDataLoss=true`, {});
  },
};
