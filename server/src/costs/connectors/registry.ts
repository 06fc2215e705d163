import type { Connector } from './connector.ts';
import { google } from './google.ts';
import { linkedin } from './linkedin.ts';
import { meta } from './meta.ts';
import { microsoft } from './microsoft.ts';
import { tiktok } from './tiktok.ts';

/** Every platform whose costs can be read. To add one, add its file, and name it here. */
export const CONNECTORS = { google, meta, microsoft, tiktok, linkedin } satisfies Record<string, Connector>;

export type ConnectorId = keyof typeof CONNECTORS;

export const CONNECTOR_IDS = Object.keys(CONNECTORS) as ConnectorId[];

export const connectorOf = (id: ConnectorId): Connector => CONNECTORS[id];
