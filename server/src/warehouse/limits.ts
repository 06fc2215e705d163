import { defineLimits } from '../shared/limits.ts';

export const WAREHOUSE_LIMITS = defineLimits({
  warehouses: [10, 'Warehouses of an account'],
  nameLength: [100, 'Name of a warehouse'],
  prefixLength: [200, 'Prefix of a warehouse'],
});

export const LIMITS = WAREHOUSE_LIMITS.values;
