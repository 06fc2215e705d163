import type { AdConsent } from '../index.d.ts';
import { attempt, type Page } from './page.ts';

/** A visit younger than this may not have been sent yet. */
const UNSENT_MS = 1_000;
const LOADED_EVERY_MS = 50;
/** How long a consent platform is waited for. */
const TCF_EVERY_MS = 500;
const TCF_ATTEMPTS = 40;

type Command = ArrayLike<unknown>;
type Choices = Record<string, unknown>;

interface TcData {
  gdprApplies?: boolean;
  tcString?: string;
  eventStatus?: string;
}

declare global {
  interface Window {
    dataLayer?: Command[];
    __tcfapi?(command: string, version: number, callback: (data: TcData, success: boolean) => void): void;
  }
}

const PURPOSES = ['ad_storage', 'ad_user_data', 'ad_personalization'] as const;

/**
 * Records what the visitor consented to for ad platforms: with every visit, and for the latest one when it changes. Reads
 * Google consent mode and the IAB's framework; `page.adConsent` may be set by the page, too.
 */
export function startConsent(): void {
  // Another copy of the snippet may replace the object until the script has loaded.
  const page = window.headwater as Page | undefined;
  if (!page?.apiKey || !('session' in page)) setTimeout(startConsent, LOADED_EVERY_MS);
  // A second copy of the script on a page does nothing.
  else if (!Object.getOwnPropertyDescriptor(page, 'adConsent')?.set) attempt(() => startOn(page));
}

function startOn(page: Page): void {
  // The latest visit may have been recorded before the page set its choices.
  let current = page.visit.consent as AdConsent | undefined;
  const given = page.adConsent;

  /** Repeats the latest visit, which the service recognizes by its id and only takes the choices of. */
  const repeated = () => ({ visit: { ...page.visit, consent: current } });

  /** After recording was switched off, a visit is not repeated that may have been dropped before it was sent. */
  const mayRepeat = () => page.mode !== 'off' || Date.now() - Number(page.visit.occurredAt) > UNSENT_MS;
  /** The script's queue keeps the order: a denial must not overtake the request before it. */
  const sendChoices = () => mayRepeat() && page.add?.(repeated());

  function change(next: AdConsent | undefined): void {
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    sendChoices();
  }

  const { consent } = page;
  page.consent = (mode) => {
    consent(mode);
    // What was queued was dropped, a denial included.
    if (mode === 'off' && current) sendChoices();
  };
  Object.defineProperty(page, 'adConsent', { get: () => current, set: change });
  change(given);
  watch((choices) => {
    page.adConsent = choices;
  });
}

function watch(report: (choices: AdConsent) => void): void {
  const defaults: Choices = {};
  /** Defaults of some regions. Where they differ from the others, none is known: the page does not know its region. */
  const regional: [name: string, choice: unknown][] = [];
  const updates: Choices = {};
  let tcf: string | undefined;
  let untold = 0;

  /** At the end of this task: pages give several defaults in a row. */
  const changed = () => untold++ || queueMicrotask(tell);

  function tell(): void {
    untold = 0;
    const isKnown = (name: string) => regional.every(([other, choice]) => other !== name || choice === defaults[name]);
    const known = Object.entries(defaults).filter(([name]) => isKnown(name));
    // Defaults hold until the visitor has chosen, which a TC string shows.
    const choices = { ...(tcf ? { tcf } : Object.fromEntries(known)), ...updates };
    if (Object.keys(choices).length > 0) report(choices as AdConsent);
  }

  function read(command: Command): void {
    if (command?.[0] !== 'consent') return;
    const [, type, sent] = Array.from(command) as [string, string, Choices];
    for (const name of PURPOSES) {
      const choice = sent[name];
      if (choice === undefined) continue;
      if (type === 'update') updates[name] = choice;
      else if (sent.region) regional.push([name, choice]);
      else defaults[name] = choice;
    }
    changed();
  }

  window.dataLayer ||= [];
  const layer = window.dataLayer;
  const push = layer.push;
  layer.push = (...commands) => {
    for (const command of commands) attempt(() => read(command));
    return push.apply(layer, commands);
  };
  for (const command of [...layer]) attempt(() => read(command));

  function findTcf(attempts: number): void {
    if (window.__tcfapi) {
      window.__tcfapi('addEventListener', 2, ({ gdprApplies, tcString, eventStatus }, success) => {
        if (!success || gdprApplies === false || !tcString || eventStatus === 'cmpuishown') return;
        tcf = tcString;
        changed();
      });
    } else if (attempts > 0) setTimeout(findTcf, TCF_EVERY_MS, attempts - 1);
  }
  findTcf(TCF_ATTEMPTS);
}
