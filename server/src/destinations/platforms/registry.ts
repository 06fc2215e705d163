import { amazon } from './amazon.ts';
import { applovin } from './applovin.ts';
import { cdn } from './cdn.ts';
import { google } from './google.ts';
import { http } from './http.ts';
import { linkedin } from './linkedin.ts';
import { meta } from './meta.ts';
import { microsoft } from './microsoft.ts';
import { openai } from './openai.ts';
import { outbrain } from './outbrain.ts';
import { pinterest } from './pinterest.ts';
import type { Platform } from './platform.ts';
import { reddit } from './reddit.ts';
import { snapchat } from './snapchat.ts';
import { taboola } from './taboola.ts';
import { tiktok } from './tiktok.ts';
import { x } from './x.ts';

/** Every platform. To add one, add its file, and name it here. */
export const PLATFORMS = {
  google,
  meta,
  microsoft,
  tiktok,
  linkedin,
  pinterest,
  snapchat,
  reddit,
  x,
  taboola,
  outbrain,
  openai,
  applovin,
  amazon,
  http,
  cdn,
} satisfies Record<string, Platform>;

export type PlatformId = keyof typeof PLATFORMS;

export const PLATFORM_IDS = Object.keys(PLATFORMS) as PlatformId[];

/** A platform by its id. */
export const platformOf = (id: PlatformId): Platform => PLATFORMS[id];
