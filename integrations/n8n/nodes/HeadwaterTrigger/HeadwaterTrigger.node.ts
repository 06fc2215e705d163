import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestOptions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { properties, subscriptions } from './properties';
import { isSigned } from './signature';

interface Condition {
  field: string;
  operator: string;
  value: string;
}

const NUMERIC = ['lt', 'lte', 'gt', 'gte'];

/** Values of forms are text; the comparison of amounts needs numbers. */
function conditionOf({ field, operator, value }: Condition) {
  if (operator === 'in') return { field, operator, value: value.split(',').map((each) => each.trim()) };
  if (operator === 'exists') return { field, operator, value: value !== 'false' };
  const isNumber = NUMERIC.includes(operator) && value.trim() !== '' && Number.isFinite(Number(value));
  return { field, operator, value: isNumber ? Number(value) : value };
}

async function request(context: IHookFunctions, options: Omit<IHttpRequestOptions, 'baseURL'>) {
  const { url } = await context.getCredentials<{ url: string }>('headwaterApi');
  return (await context.helpers.httpRequestWithAuthentication.call(context, 'headwaterApi', {
    baseURL: url.replace(/\/+$/, ''),
    json: true,
    ...options,
  })) as IDataObject;
}

const isNotFound = (error: unknown) => {
  const { httpCode, response, status } = error as {
    httpCode?: string;
    response?: { status?: number };
    status?: number;
  };
  return [Number(httpCode), response?.status, status].includes(404);
};

export class HeadwaterTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Headwater Trigger',
    name: 'headwaterTrigger',
    icon: { light: 'file:../../icons/headwater.svg', dark: 'file:../../icons/headwater.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["trigger"]}}',
    description: 'Starts the workflow when something happens in Headwater',
    defaults: { name: 'Headwater Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'headwaterApi', required: true }],
    // For the lists of the form.
    requestDefaults: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}' },
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node');
        if (!webhookId || !secret) return false;
        try {
          const { status, url } = await request(this, { method: 'GET', url: `/v1/webhooks/${String(webhookId)}` });
          return status === 'active' && url === this.getNodeWebhookUrl('default');
        } catch (error) {
          if (isNotFound(error)) return false;
          throw new NodeApiError(this.getNode(), error as JsonObject);
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const { events, filters: fixed = [] } = subscriptions[this.getNodeParameter('trigger') as string];
        const { condition = [] } = this.getNodeParameter('filters', {}) as { condition?: Condition[] };
        const collectionIds = this.getNodeParameter('collectionIds', []) as string[];
        const filters = [...fixed, ...condition.map(conditionOf)];
        const { id, secret } = await request(this, {
          method: 'POST',
          url: '/v1/webhooks',
          body: {
            url: this.getNodeWebhookUrl('default'),
            events,
            description: `n8n: ${this.getWorkflow().name ?? ''}`,
            ...(filters.length > 0 && { filters }),
            ...(collectionIds.length > 0 && { collectionIds }),
          },
        });
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: id, secret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData('node');
        if (data.webhookId) {
          try {
            await request(this, { method: 'DELETE', url: `/v1/webhooks/${String(data.webhookId)}` });
          } catch (error) {
            if (!isNotFound(error)) return false;
          }
        }
        delete data.webhookId;
        delete data.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject();
    const secret = String(this.getWorkflowStaticData('node').secret ?? '');
    if (!isSigned(this.getHeaderData(), rawBody ?? '', secret)) {
      this.getResponseObject().status(401).send('The signature is invalid.').end();
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray([this.getBodyData()])] };
  }
}
