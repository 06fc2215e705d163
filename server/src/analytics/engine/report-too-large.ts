/** The report would take too much memory. */
export class ReportTooLarge extends Error {
  readonly code = 'report_too_large';

  constructor() {
    super('The report reads too much data. Request a shorter period, or fewer dimensions at a time.');
  }
}
