import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SessionClients } from '../../tracking/index.ts';
import type { PlatformClient } from '../delivery/client.ts';
import { plan } from '../delivery/plan.ts';
import { findConversion } from '../delivery/queries.ts';
import type { ValueFactors } from '../delivery/value-factors.ts';
import type { DryRunResult } from '../delivery-contract.ts';
import { maskSecrets } from '../manage/credentials.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { refuseConversions, requireDestination } from '../manage/serialize.ts';
import type { Credentials, HttpRequest } from '../platforms/platform.ts';
import { platformOf } from '../platforms/registry.ts';

/** Stands for the access token, which is obtained when the request is made. */
const ACCESS_TOKEN = '***';

/** The request that would be made for a conversion, or why there is none. Sends nothing. @throws 404 */
export async function dryRun(
  tx: Tx,
  client: PlatformClient,
  secret: Buffer,
  accountId: string,
  destinationId: string,
  conversionId: string,
  now: number,
  factors: ValueFactors,
): Promise<DryRunResult> {
  const destination = await requireDestination(tx, accountId, destinationId);
  refuseConversions(destination.platform);
  const conversion = parseId('cnv', conversionId);
  if (conversion === undefined) throw notFound('conversion');
  const platform = platformOf(destination.platform);
  const key = { account_id: accountId, destination_id: destination.id, conversion_id: conversion };
  const [row] = await findConversion(tx, { ...key, with_client: platform.uses.client });
  if (row === undefined) throw notFound('conversion');
  const sessionClient = row.client && new SessionClients(secret).open(accountId, row.client);
  // Without the delay, which only decides when it is sent.
  const { value_sent } = destination;
  const factorOf = value_sent === 'expected' ? await factors.of(accountId, now) : undefined;
  const undelayed = { ...destination, send_after: 0, value_sent: 'current' as const };
  const decision = plan(row, undelayed, platform, sessionClient, now, factorOf);
  if (decision.type !== 'send') {
    const { status, reason } = decision.type === 'decided' ? decision : { status: null, reason: 'not_due' };
    const shown = status === 'skipped' || status === 'rejected' || status === 'not_adjustable' ? status : null;
    return { action: 'none', status: shown, reason, request: null };
  }
  const validates = destination.mode === 'validate';
  const context = { ...(await client.context(tx, destination, validates)), accessToken: ACCESS_TOKEN };
  const request = platform.build([decision.event], context);
  return {
    action: decision.event.action,
    status: null,
    reason: null,
    request: masked(destination, context.credentials, request),
  };
}

function masked(
  { platform }: DestinationRow,
  credentials: Credentials,
  { method, url, headers, body }: HttpRequest,
): DryRunResult['request'] {
  const mask = (text: string) => maskSecrets(platformOf(platform).credentials, credentials, text);
  const shown = Object.entries(headers).map(([name, value]) => {
    // Signatures are secrets of their own, and differ each time.
    const isSecret = name === 'webhook-signature' || /^OAuth /.test(value);
    return [name, isSecret ? '***' : mask(value)];
  });
  return { method, url: mask(url), headers: Object.fromEntries(shown), body: parsed(mask(body)) };
}

function parsed(body: string): unknown {
  if (body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
