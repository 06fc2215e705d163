import { defineLimits } from '../shared/limits.ts';

export const TRACKING_LIMITS = defineLimits({
  batchItems: [100, 'Visits and events of a batch'],
  eventLength: [255, 'Name of an event'],
  eventIdLength: [64, '`id` of an event; a longer one is ignored'],
  properties: [255, 'Members of the `properties` of an event'],
  propertiesBytes: [32_768, 'Size of the `properties` of an event as JSON'],
  propertiesDepth: [5, 'Nesting of the `properties` of an event'],
  emailLength: [320, '`properties.email`; a longer one creates no lead'],
  leadNameLength: [255, 'Name of a lead; a longer one is ignored'],
  leadNotesLength: [10_000, 'Notes about a lead'],
  identifierLength: [2_048, 'Session identifier or click id; a longer one is ignored in events and landing URLs'],
  urlLength: [8_192, '`url` of a visit; a longer `referrer` is cut'],
  titleLength: [2_048, '`title` of a visit; a longer one is cut'],
  userAgentLength: [2_048, '`userAgent` of a visit or event; a longer one is cut'],
  clientIdLength: [64, '`visitId` and `visitorId`; a longer one is ignored'],
  allowedOrigins: [200, 'Origins of the tracking settings'],
  excludedAddresses: [200, 'Addresses and ranges of the tracking settings'],
});

export const LIMITS = TRACKING_LIMITS.values;
