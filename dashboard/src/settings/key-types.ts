import type { ApiKey } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export type KeyType = ApiKey['type'];

export const KEY_TYPES: Record<
  KeyType,
  { label: string; description: string; mayDo: string; prefix: string; example: string }
> = {
  secret: {
    label: t('Secret token'),
    description: t('For your servers. Full access to the API, or what a role allows.'),
    mayDo: t('Everything'),
    prefix: 'hw_sk_',
    example: t('Shop back end'),
  },
  publishable: {
    label: t('Publishable key'),
    description: t('For your pages. Records visits and events, and reads public content.'),
    mayDo: t('Record visits and events, read public content'),
    prefix: 'hw_pk_',
    example: 'outdoor.example',
  },
  postback: {
    label: t('Postback key'),
    description: t('For ad platforms. Reports conversions through a postback URL only.'),
    mayDo: t('Report conversions'),
    prefix: 'hw_pb_',
    example: t('Affiliate network'),
  },
};
