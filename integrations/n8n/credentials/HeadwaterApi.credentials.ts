import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class HeadwaterApi implements ICredentialType {
  name = 'headwaterApi';

  displayName = 'Headwater API';

  icon: Icon = { light: 'file:../icons/headwater.svg', dark: 'file:../icons/headwater.dark.svg' };

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-headwater';

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://headwater.example',
      description: 'Where your Headwater runs',
    },
    {
      displayName: 'API Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A secret token of Settings › API keys. Its role needs webhooks for the trigger.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'x-api-key': '=Bearer {{$credentials.token}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: '/v1/account' },
  };
}
