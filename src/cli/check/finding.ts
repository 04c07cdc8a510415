/** An inconsistency in the database or among the stored files. */
export interface Finding {
  /** The name of the check that found it. */
  readonly check: string
  /** The id of the row, the key of the file, or the kind. */
  readonly id: string
  /** A description that names the row or file. */
  readonly problem: string
  readonly mended: boolean
}

/** The state shared by the checks of one run. */
export interface CheckRun {
  /** Whether to repair findings where possible. */
  readonly fix: boolean
  /** Called with the number of rows or files that were just checked. */
  count(checked: number): void
  report(finding: Finding): void
}
