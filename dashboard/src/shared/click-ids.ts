import { CLICK_ID_ENTRIES, type ClickIdName } from '../../../server/src/shared/click-ids.ts';

const byClickId = (textOf: (clickId: (typeof CLICK_ID_ENTRIES)[number][1], name: ClickIdName) => string) =>
  Object.fromEntries(CLICK_ID_ENTRIES.map(([name, clickId]) => [name, textOf(clickId, name)])) as Record<
    ClickIdName,
    string
  >;

/** "Google Ads (iOS, app)" by click ID. */
export const PLATFORM_LABELS = byClickId(({ platform, variant }) => (variant ? `${platform} (${variant})` : platform));

/** "Google Ads (gbraid)" by click ID. */
export const CLICK_ID_LABELS = byClickId(({ platform }, name) => `${platform} (${name})`);

const MACROS: Readonly<Record<string, string>> = byClickId(({ macro }, name) => macro ?? `{${name}}`);

export const macroOf = (name: string) => MACROS[name] ?? '{session}';
