import type { Deps, Module } from '../shared/deps.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { type Send, sendDueMails } from './send-due-mails.ts';

export { alertOwners, type Mail, queueMails, sendsMail } from './queue-mails.ts';

const EVERY_MS = 2_000;

/** Sends queued mails by SMTP. Without `SMTP_URL` none are queued. */
export function mailModule(deps: Deps): Module {
  const { config, log } = deps;
  const { mail } = config;
  if (!mail) return { routes: () => {}, workers: [] };
  let transport: Promise<Send> | undefined;
  // Loaded with the first mail.
  const send: Send = async (message) => {
    transport ??= openTransport(mail.url);
    await (await transport)(message);
  };
  const worker = workerLoop({
    name: 'send mails',
    log,
    everyMs: EVERY_MS,
    run: (signal) => sendDueMails(deps, mail.from, send, signal),
  });
  return { routes: () => {}, workers: [worker] };
}

async function openTransport(url: string): Promise<Send> {
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return (message) => transport.sendMail(message);
}
