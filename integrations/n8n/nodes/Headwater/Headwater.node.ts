import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { properties } from './properties';

export class Headwater implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Headwater',
    name: 'headwater',
    icon: { light: 'file:../../icons/headwater.svg', dark: 'file:../../icons/headwater.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Report conversions, record events, write entries, and find what Headwater knows',
    defaults: { name: 'Headwater' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'headwaterApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    },
    properties,
  };
}
