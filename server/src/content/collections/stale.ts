/** Returned by an operation whose statement found the collection at another version than the cached one. */
export const STALE = Symbol('stale');

/** The code of writes that a condition of a role refuses, some of them after they were made. */
export const CONDITION_NOT_MET = 'condition_not_met';
