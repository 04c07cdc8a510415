/** A backup that cannot be made or restored; the message is one line for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
