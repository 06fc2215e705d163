/** What a press is meant for. */
const CLICKABLE = 'a[href], button, input, label, summary, [role=option]';

/** A hand is not still. */
const STILL_PX = 5;

/**
 * Makes a press a click although the page moves meanwhile, as when the field that loses the focus shows a fault, or something arrives. Browsers click
 * what is under the pointer at both ends of a press, so that nothing would happen. A pointer that leaves what it pressed still takes the press back.
 * It listens to mouse events: of a touch, browsers make them once the finger is lifted, and the focus changes between them.
 */
export function keepPresses(): void {
  let pressed: { element: HTMLElement; x: number; y: number } | undefined;
  const down = ({ target, button, clientX: x, clientY: y }: MouseEvent) => {
    const element = button === 0 && target instanceof Element ? target.closest<HTMLElement>(CLICKABLE) : null;
    pressed = element ? { element, x, y } : undefined;
  };
  const up = ({ target, button, clientX, clientY }: MouseEvent) => {
    if (button !== 0 || !pressed) return;
    const { element, x, y } = pressed;
    pressed = undefined;
    const isStill = Math.hypot(clientX - x, clientY - y) < STILL_PX;
    if (isStill && !element.contains(target as Node)) element.click();
  };
  document.addEventListener('mousedown', down, { capture: true, passive: true });
  document.addEventListener('mouseup', up, { capture: true, passive: true });
}
