import Bowser from 'bowser';
import { isbot } from 'isbot';
import { newCache } from '../../shared/lru-cache.ts';

export interface Device {
  isBot: boolean;
  /** desktop, mobile, tablet, tv. */
  device: string | null;
  browser: string | null;
  os: string | null;
}

const NOTHING: Device = { isBot: true, device: null, browser: null, os: null };

/** Browser automation that identifies itself and that isbot does not know. */
const AUTOMATED = /headless|jsdom|webdriver|selenium/i;

const cache = newCache<Device>(5_000);

/**
 * Device, browser and system of a User-Agent header. Parsing takes about 10 µs and most requests repeat a few user agents,
 * so 5,000 are cached. A request without a user agent counts as a bot.
 */
export function readUserAgent(header: string | undefined): Device {
  if (header === undefined || header === '') return NOTHING;
  const cached = cache.get(header);
  if (cached) return cached;
  const { platform, browser, os } = Bowser.parse(header.slice(0, 1_000));
  const device: Device = {
    isBot: isbot(header) || AUTOMATED.test(header),
    device: platform.type ?? null,
    browser: browser.name || null,
    os: os.name || null,
  };
  cache.set(header, device);
  return device;
}
