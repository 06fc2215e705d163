/** A `ref` for what comes in the place of what had the focus. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
