/** Slow presses: what a hand, or a browser on a busy machine, does between the two ends of a click is what makes pages move. */
import type { Page } from 'playwright-core';
import { atRest } from './open-page.ts';

/** Text fields in which something can be written, of dialogs where one is open. */
const FIELDS =
  ':is([role=dialog], :root:not(:has([role=dialog])) #main) :is(input:not([type]), input[type=text], input[type=password], input[type=search], textarea):not([role=combobox], [readonly], :disabled)';
const BUTTONS =
  ':is([role=dialog], :root:not(:has([role=dialog])) #main) :is([type=submit], [data-variant=filled]):enabled';

/**
 * Writes into each kind of field of a page, and presses what it leads to for as long as the page changes, or taps it, of which browsers make a
 * press in which the focus changes. Clicks are noted, and do nothing.
 * @returns the presses that were no click of what was pressed; undefined for a page without fields
 */
export async function lostPresses(page: Page, isTouch = false): Promise<string[] | undefined> {
  const fields = await page.locator(`${FIELDS} >> visible=true`).all();
  if (fields.length === 0) return undefined;
  const lost: string[] = [];
  await page.evaluate(noteClicks);
  const kinds = new Map<string, (typeof fields)[number]>();
  for (const field of fields) {
    const kind = await field.evaluate((input) => `${input.localName} ${(input as HTMLInputElement).inputMode}`);
    if (!kinds.has(kind)) kinds.set(kind, field);
  }
  for (const [kind, field] of kinds) {
    // No number, date or URL, which a field says once it is left.
    await field.fill('1 or so');
    for (const button of await page.locator(`${BUTTONS} >> visible=true`).all()) {
      await field.focus();
      await atRest(page);
      await button.scrollIntoViewIfNeeded();
      const box = await button.boundingBox();
      if (!box) continue;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const isCovered = await button.evaluate(
        (element, [x = 0, y = 0]) => {
          Object.assign(window, { pressed: element, clicked: undefined, isOver: false });
          return !element.contains(document.elementFromPoint(x, y));
        },
        [x, y],
      );
      // By the calendar of the field.
      if (isCovered) continue;
      if (isTouch) await page.touchscreen.tap(x, y);
      else {
        await page.mouse.move(x, y);
        await page.mouse.down();
        await atRest(page);
        await page.mouse.up();
      }
      // There is a click in any case, if only of what contains both ends of the press.
      await page.waitForFunction(() => (window as unknown as { isOver: boolean }).isOver);
      if (!(await page.evaluate(isClicked))) lost.push(`${await button.textContent()} after ${kind}`);
    }
  }
  return lost;
}

function noteClicks(): void {
  window.addEventListener(
    'click',
    (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const { pressed } = window as unknown as { pressed: Element };
      Object.assign(window, { isOver: true });
      if (pressed.contains(event.target as Node)) Object.assign(window, { clicked: pressed });
    },
    { capture: true },
  );
}

function isClicked(): boolean {
  const { pressed, clicked } = window as unknown as { pressed: Element; clicked?: Element };
  return pressed === clicked && pressed.isConnected;
}
