import {
  type IExecuteSingleFunctions,
  type IN8nHttpFullResponse,
  type INodeExecutionData,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';

interface Problem {
  title?: string;
  detail?: string;
  errors?: Array<{ pointer?: string; detail: string }>;
}

/** Fails with what the service says is wrong; n8n itself would only name the status. */
export async function raiseProblem(
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
  { statusCode, body }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  if (statusCode < 400) return items;
  const { detail, errors = [] } = (typeof body === 'object' && body !== null ? body : {}) as Problem;
  const faults = errors.map((each) => (each.pointer ? `${each.pointer}: ${each.detail}` : each.detail));
  throw new NodeApiError(this.getNode(), body as JsonObject, {
    message: detail ?? `The service responded with status ${statusCode}`,
    ...(faults.length > 1 && { description: faults.join(' ') }),
    httpCode: String(statusCode),
  });
}
