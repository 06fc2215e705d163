/** The cell in the control database. */
export const MAIN = 'main';
