import type { AssignedExperiment, Mode, Properties, Session, TrackResult } from '../index.d.ts';
import { adopt, dropAll, enqueue, refusal, send, sendByBeacon, sendForget } from './delivery.ts';
import { type Landing, readLanding, withoutClickIds } from './landing.ts';
import { arrive, carry, setParameter } from './links.ts';
import { attempt, type Call, isFull, openPage, type Page, page, parse, stringify } from './page.ts';
import { randomId } from './random-id.ts';
import { current, forget, type State, stored, touch } from './session.ts';
import { shortHashOf } from './short-hash.ts';
import { assign } from './variant.ts';

/** URL of the latest view. */
let last: string;

/** The session; with a landing, it is continued or started. */
const state = (landing?: Landing): State | [] => (isFull() && (landing ? touch(landing) : stored())) || [];

/** A URL that may be sent: without consent it has no click ids. */
const sendable = (url: string) => (isFull() ? url : withoutClickIds(url)).slice(0, 8e3);

function record(referrer = '', url = location.href): void {
  last = url;
  if (page.mode !== 'off') {
    const [hash, visitorId] = state(readLanding(url));
    page.visit = {
      consent: page.adConsent,
      url: sendable(url),
      occurredAt: new Date(),
      visitorId,
      sessionHash: hash,
      visitId: randomId(),
      referrer: sendable(referrer),
      // A text, even where a form has the name `title`.
      title: `${document.title}`,
    };
    enqueue({ visit: page.visit });
  }
}

const view = () =>
  attempt(() => {
    if (new webkitURL(last).pathname !== location.pathname) record(last);
  });

const track = (event: string, properties?: Properties, id = randomId()): Promise<TrackResult> =>
  new Promise<TrackResult>((resolve) => {
    if (page.mode === 'off') return resolve(refusal('no_consent'));
    if (isFull() && !current({})) record();
    const [hash] = state({});
    // A copy, because the page may change its object afterwards.
    const item = stringify({ event, id, occurredAt: new Date(), properties: { sessionHash: hash, ...properties } });
    enqueue({ event: parse(item) }, resolve);
    setTimeout(() => resolve(refusal('pending')), 5e3);
    return undefined;
  }).catch(() => refusal('invalid'));

/** Exposures that this page has recorded, by experiment and visitor. */
const exposed: Record<string, unknown> = {};

/** Fills elements with a `data-headwater` attribute. */
function fill(): void {
  document.querySelectorAll<HTMLInputElement & HTMLAnchorElement>('[data-headwater]').forEach((element) => {
    const name = element.dataset.headwater as keyof Session;
    const value = page.session?.[name] ?? '';
    if (element.href) setParameter(element, name, value);
    else element.value = value;
  });
}

const on = (type: string, handler: (event: Event) => unknown) =>
  addEventListener(type, (event) => attempt(() => handler(event)), true);

/** A property that exists stays configurable. */
const define = (object: object, name: string, get: () => unknown, set?: (value: Page) => void) =>
  Reflect.defineProperty(object, name, { get, set });

function run(script: Element | null): void {
  openPage(script);
  page.mode ||= navigator.globalPrivacyControl || Number(navigator.doNotTrack) ? 'cookieless' : 'full';
  arrive();
  const referrer = `${document.referrer}`;
  const landing = location.href;
  last = landing;

  function consent(next: Mode, before: Mode): void {
    page.mode = next;
    if (next === 'off') dropAll();
    if (next !== before && next !== 'off' && before !== 'full') {
      if (isFull()) adopt();
      record(referrer, landing);
      view();
    }
    attempt(fill);
  }

  const replay = ([resolve, ...call]: Call) => track(...call).then(resolve);
  const { q } = page;
  page.add = enqueue;
  page.track = track;
  page.variant = (key) =>
    attempt(() => {
      const [, visitorId] = state({});
      // Without such an experiment it throws.
      const experiments = page.experiments as AssignedExperiment[];
      const variant =
        visitorId && assign(experiments.find((each) => each.key === key) as AssignedExperiment, visitorId);
      if (variant) exposed[key + visitorId] ||= track('experiment_exposure', { experiment: key, variant });
      return variant;
    }) || null;
  page.consent = (next) =>
    attempt(() => {
      if (next !== 'full') {
        if (isFull()) sendForget();
        forget();
      }
      consent(next, page.mode);
    });
  page.q = { push: replay } as Page['q'];
  // What another copy of the snippet would put in its place is only taken over. A global variable cannot be redefined.
  define(
    window,
    'headwater',
    () => page,
    (next: Page) => attempt(() => next.q?.forEach(replay)),
  );
  define(page, 'session', () => {
    const [hash, visitorId] = state();
    return (
      hash && {
        hash,
        visitorId,
        // Computed on access, because it takes a millisecond that most pages need not spend.
        get shortHash() {
          return shortHashOf(hash);
        },
      }
    );
  });
  consent(page.mode, 'off');
  q?.forEach(replay);

  const { navigation } = window;
  // Not an element or a variable of that name.
  if (navigation?.currentEntry) navigation.addEventListener('currententrychange', view);
  else {
    on('popstate', view);
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name];
      history[name] = (...args) => {
        original.apply(history, args);
        view();
      };
    }
  }
  on('pageshow', (event) => (event as PageTransitionEvent).persisted && record());
  on('pagehide', sendByBeacon);
  // The last that phones tell of a page.
  on('visibilitychange', () => document.hidden && sendByBeacon());
  on('online', send);
  for (const type of ['DOMContentLoaded', 'pointerdown', 'click', 'submit']) {
    on(type, ({ target }) => {
      fill();
      const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
      if (link) carry(link, state());
    });
  }
}

/** Starts or when a prerendered page is activated; another copy of the script does nothing. */
export function start(): void {
  const { currentScript } = document;
  if (document.prerendering) on('prerenderingchange', () => run(currentScript));
  else attempt(() => run(currentScript));
}
