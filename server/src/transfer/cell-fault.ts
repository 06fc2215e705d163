/** Why a cell cannot be read. */
export class CellFault {
  readonly code: string;
  readonly detail: string;

  constructor(code: string, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

/** How what is written in more than one way is meant; null: nobody has said. */
export interface Forms {
  decimal: '.' | ',' | null;
  dateOrder: 'dmy' | 'mdy' | null;
  timeZone: string | null;
}
