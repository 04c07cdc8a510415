/** A restart that did not take place, with one line for the operator; the server serves on. */
export class RestartError extends Error {
  override readonly name = 'RestartError'
}
