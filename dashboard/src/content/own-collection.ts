import { createContext } from 'react';

/** Stands for the collection itself, where fields of one that is not saved yet reference it. */
export const SELF = 'self';

/** Whether the fields that are edited are those of a new collection. */
export const IsNewCollection = createContext(false);
