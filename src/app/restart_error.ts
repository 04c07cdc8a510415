/**
 * A restart that did not take place; the message is one line for the operator. The server
 * continues.
 */
export class RestartError extends Error {
  override readonly name = 'RestartError'
}
