import { createHmac } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, refuse } from '../../shared/errors.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import { connectPolicy, type MayConnect } from '../../shared/outbound/connect-policy.ts';
import { type Outcome, Sender } from '../../shared/outbound/sender.ts';
import { redactSecrets } from '../../shared/redact.ts';
import { type SecretPlace, SecretUnreadable } from '../../shared/secrets/vault.ts';
import { isoTime } from '../../shared/time.ts';
import { type AskedEntry, Clearance, ClearanceNeeded } from './clearance.ts';
import { type HookRow, recordOutcome } from './queries.ts';
import { type Answer, readAnswer } from './read-answer.ts';

const TIMEOUT_MS = 5_000;
/** All the hooks of a request, which has ten seconds. */
const REQUEST_MS = 7_500;
/** One request has at most so many entries, and values of about so many characters. */
const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 1_048_576;
const CONCURRENT_REQUESTS = 8;
/** A transaction is repeated for each collection whose hooks have to be asked, and whenever values changed meanwhile. */
const MAX_REPETITIONS = 20;
const MAX_FAULTS = 1_000;

export const hookSecret = ({ account_id, id }: Pick<HookRow, 'account_id' | 'id'>): SecretPlace => ({
  accountId: account_id,
  kind: 'publish hook secret',
  id,
});

type Asked = ClearanceNeeded['asked'][number];

/** Asks the hooks of accounts before something is published. */
export class PublishHooks {
  readonly mayConnect: MayConnect;
  readonly #deps: Deps;
  readonly #sender: Sender;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
    this.#sender = new Sender({ mayConnect: this.mayConnect, timeoutMs: TIMEOUT_MS, keeps: 'all' });
  }

  /**
   * Runs a transaction that may publish. No transaction is open while hooks are asked: it is repeated once they have allowed
   * what it publishes.
   * @param waitMs how long hooks are waited for in all
   * @throws ApiError 400 `publish_refused` with the reasons of the hooks, or `publish_hook_failed`
   */
  async cleared<Result>(run: (clearance: Clearance) => Promise<Result>, waitMs = REQUEST_MS): Promise<Result> {
    const clearance = new Clearance();
    const deadline = performance.now() + waitMs;
    for (let repetition = 0; ; repetition++) {
      try {
        return await run(clearance);
      } catch (error) {
        if (!(error instanceof ClearanceNeeded)) throw error;
        if (repetition === MAX_REPETITIONS) {
          const detail = 'The entries keep changing while hooks check them. Try again.';
          throw badRequest('version_conflict', detail);
        }
        await this.#ask(error, clearance, deadline);
      }
    }
  }

  /** @throws ApiError 400 unless each hook allows all of it */
  async #ask({ hooks, asked }: ClearanceNeeded, clearance: Clearance, deadline: number): Promise<void> {
    const requests = hooks.flatMap((hook) => partsOf(asked).map((part) => ({ hook, part })));
    const faults: Fault[] = [];
    const { failedHooks } = clearance;
    for (let start = 0; start < requests.length; start += CONCURRENT_REQUESTS) {
      const some = requests.slice(start, start + CONCURRENT_REQUESTS).filter(({ hook }) => !failedHooks.has(hook.id));
      const answers = await Promise.all(
        some.map(async ({ hook, part }) => this.#askOne(hook, part, deadline - performance.now())),
      );
      answers.forEach((answer, index) => {
        const { hook, part } = some[index] as (typeof some)[number];
        if (answer.outcome === 'failed' && !failedHooks.has(hook.id)) {
          failedHooks.add(hook.id);
          if (hook.on_error === 'refuse') faults.push(failure(hook, answer.error));
        }
        if (answer.outcome === 'refused') faults.push(...reasons(hook, part, answer));
      });
    }
    refuse(faults.slice(0, MAX_FAULTS));
    clearance.add(asked.map(({ digest }) => digest));
  }

  /** Sends a hook a message without entries. */
  async test(hook: HookRow): Promise<Answer & { ms: number }> {
    const startedAt = performance.now();
    return { ...(await this.#askOne(hook, [])), ms: Math.round(performance.now() - startedAt) };
  }

  close(): void {
    this.#sender.close();
  }

  async #askOne(hook: HookRow, part: readonly Asked[], leftMs = TIMEOUT_MS): Promise<Answer> {
    const answer = await this.#send(
      hook,
      part.map(({ entry }) => entry),
      Math.min(leftMs, TIMEOUT_MS),
    );
    const error = answer.outcome === 'failed' ? redactSecrets(answer.error) : null;
    const { account_id, id } = hook;
    await recordOutcome(this.#deps.db, {
      ...{ account_id, id, error },
      outcome: answer.outcome,
      now: new Date(this.#deps.clock()),
    });
    return answer;
  }

  async #send(hook: HookRow, entries: readonly AskedEntry[], timeoutMs: number): Promise<Answer> {
    if (timeoutMs <= 0) return { outcome: 'failed', error: 'those before it took all the time that hooks have' };
    const { db, clock, vault } = this.#deps;
    const now = clock();
    const id = publicId('msg', newUuid(now));
    const type = entries.length === 0 ? 'publish_hook.test' : 'entry.publishing';
    const body = JSON.stringify({ type, timestamp: isoTime(now), data: { entries } });
    let secret: Buffer;
    try {
      secret = await vault.open(db, hookSecret(hook), hook.secret);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      return { outcome: 'failed', error: 'its signing secret cannot be read; create the hook again' };
    }
    const timestamp = String(Math.floor(now / 1_000));
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Headwater-Publish-Hooks/1',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const outcome: Outcome = await this.#sender.send(new URL(hook.url), headers, body, 'POST', timeoutMs);
    return readAnswer(outcome);
  }
}

function partsOf(asked: readonly Asked[]): Asked[][] {
  const parts: Asked[][] = [];
  let characters = 0;
  for (const each of asked) {
    const size = JSON.stringify(each.entry.values).length;
    const last = parts.at(-1);
    if (last && last.length < MAX_ENTRIES && characters + size <= MAX_CHARACTERS) last.push(each);
    else parts.push([each]);
    characters = parts.at(-1) === last ? characters + size : size;
  }
  return parts;
}

const failure = ({ name }: HookRow, error: string): Fault => ({
  pointer: '',
  code: 'publish_hook_failed',
  detail: `"${name}" decides before this is published, but could not be asked: ${error}.`,
});

/** A reason is shown at the field that it names. */
function reasons(
  { name }: HookRow,
  part: readonly Asked[],
  { reasons: given }: Extract<Answer, { outcome: 'refused' }>,
): Fault[] {
  const code = 'publish_refused';
  const general = { pointer: part[0]?.pointer ?? '', code, detail: `"${name}" refuses to publish this.` };
  const faults = given.flatMap(({ entryId, field, message }) => {
    const about = part.find(({ entry }) => entry.entryId === entryId) ?? (part.length === 1 ? part[0] : undefined);
    const at = field === undefined ? '' : `/values/${field.replaceAll('.', '/')}`;
    return { pointer: about ? about.pointer + at : '', code, detail: `"${name}" refuses: ${message}` };
  });
  return faults.length > 0 ? faults : [general];
}
