/** Where a member of a schema is in its file; lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A schema file that cannot be read. */
export class FileFault extends Error {
  readonly position: Position | undefined;
  constructor(message: string, position?: Position) {
    super(message);
    this.position = position;
  }
}
