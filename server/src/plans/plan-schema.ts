import { invalid } from '../shared/errors.ts';
import { type CallRoute, type Draft, digest, notUndoable, type PlanKind } from './kind.ts';

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
  const lost = changes.filter(({ losesData }) => losesData);
  if (!allowDataLoss && lost.length > 0) {
    throw invalid(
      lost.map(({ description }) => ({
        pointer: '/allowDataLoss',
        code: 'data_loss',
        detail: `${description}. Send "allowDataLoss": true to do it anyway.`,
      })),
    );
  }
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
      warnings: lost.map(({ description }) => `${description}.`),
    },
    state,
  };
}

export const schemaKind: PlanKind<SchemaRequest, { undoId: string | null }> = {
  async readState(call) {
    // Who may not change the schema is refused, and does not find it changed for seeing less of it.
    await call('PUT /v1/schema?dryRun=true', {});
    return readState(call);
  },
  async findResult(call, { schema, allowDataLoss }) {
    const { changes } = await call<Push>(`PUT /v1/schema?dryRun=true&allowDataLoss=${allowDataLoss}`, schema);
    return changes.length === 0 ? { undoId: null } : undefined;
  },
  async apply(call, { schema, allowDataLoss }) {
    const { undoId } = await call<Push>(`PUT /v1/schema?allowDataLoss=${allowDataLoss}`, schema);
    return { undoId };
  },
  async undo(call, _request, { undoId }) {
    if (undoId === null) throw notUndoable();
    await call(`POST /v1/schema/undo/${undoId}?allowDataLoss=true`, {});
  },
};
