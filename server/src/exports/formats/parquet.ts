import type { Format } from './format.ts';

/** Typed columns, compressed with Snappy. */
export const parquet: Format = {
  contentType: 'application/vnd.apache.parquet',
  // Loads the Parquet library only in the export's thread, not in the service.
  async createEncoder(columns, write, ids) {
    const { ParquetEncoder } = await import('./parquet-encoder.ts');
    return new ParquetEncoder(columns, write, ids);
  },
};
