/** Mails, queued and sent. Its tables: mails. */
import type { Deps, Module } from '../shared/deps.ts';
import type { Queue } from '../shared/queue.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { findOverdueMails } from './queries.ts';
import { type Send, sendDueMails } from './send-due-mails.ts';

export { type AlertText, alertOperators, alertOwners, type Mail, queueMails, sendsMail } from './queue-mails.ts';

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
  const queue: Queue = {
    name: 'mail',
    label: 'Mails',
    tables: ['mails'],
    findOverdue: async (before) =>
      (await findOverdueMails(deps.control, { before })).map(({ since }) => ({ accountId: null, subject: '', since })),
  };
  return { routes: () => {}, workers: [worker], queues: [queue] };
}

async function openTransport(url: string): Promise<Send> {
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return (message) => transport.sendMail(message);
}
