/** Something that is wrong in the database or among the stored files. */
export interface Finding {
  /** The name of the check that found it. */
  readonly check: string
  /** Of the row, the file or the kind. */
  readonly id: string
  /** What is wrong with which row or file, in words. */
  readonly problem: string
  readonly mended: boolean
}

/** What the checks of one run share. */
export interface CheckRun {
  /** Whether to mend what is found, where that is possible. */
  readonly fix: boolean
  /** Called with the number of rows or files that were just checked. */
  count(checked: number): void
  report(finding: Finding): void
}
