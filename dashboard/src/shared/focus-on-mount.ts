/** A `ref` that focuses the element, for one that replaces the focused element. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
