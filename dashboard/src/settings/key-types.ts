import type { ApiKey } from '@headwater/sdk';

export type KeyType = ApiKey['type'];

export const KEY_TYPES: Record<KeyType, { label: string; description: string; prefix: string; example: string }> = {
  secret: {
    label: 'Secret token',
    description: 'For your servers. Full access to the API.',
    prefix: 'hw_sk_',
    example: 'Shop back end',
  },
  publishable: {
    label: 'Publishable key',
    description: 'For your pages. Records visits and events only.',
    prefix: 'hw_pk_',
    example: 'outdoor.example',
  },
  postback: {
    label: 'Postback key',
    description: 'For ad platforms. Reports conversions through a postback URL only.',
    prefix: 'hw_pb_',
    example: 'Affiliate network',
  },
};
